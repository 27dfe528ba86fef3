//! Reading frames.

use asdf_core::tree::{Kind, NodeRef};
use asdf_core::{Error, Result};
use asdf_units::Unit;

use super::{Axis, Frame, FrameKind, ReferenceFrame};

/// The most axes of a frame.
const MAX_AXES: usize = 64;

/// The deepest composite frames.
const MAX_DEPTH: usize = 8;

/// Reads a frame: a mapping, or only its name.
pub(crate) fn read(node: NodeRef<'_>) -> Result<Frame> {
    read_at(node, 0)
}

fn read_at(node: NodeRef<'_>, depth: usize) -> Result<Frame> {
    if let Some(name) = node.as_str() {
        return Ok(Frame {
            name: name.to_owned(),
            kind: FrameKind::Named,
            axes: Vec::new(),
            order: Vec::new(),
            reference: None,
            parts: Vec::new(),
            sky: None,
        });
    }
    if node.kind() != Kind::Mapping {
        return node.fail("a frame or the name of one");
    }
    let name_node = node.get("name").ok_or_else(|| node.error("the frame lacks `name`"))?;
    let name = name_node.as_str().ok_or_else(|| name_node.expected("a string").under("name"))?;
    let kind = FrameKind::of(node.own_tag());
    let mut frame = match kind {
        FrameKind::Composite => composite(node, depth)?,
        _ => simple(node, kind)?,
    };
    name.clone_into(&mut frame.name);
    Ok(frame)
}

fn composite(node: NodeRef<'_>, depth: usize) -> Result<Frame> {
    let list = node.get("frames").ok_or_else(|| node.error("the composite frame lacks `frames`"))?;
    if list.kind() != Kind::Sequence || list.is_empty() {
        return Err(list.expected("a list of frames").under("frames"));
    }
    if depth >= MAX_DEPTH || list.len() > MAX_AXES {
        let message =
            format!("found more than {MAX_AXES} frames, or frames nested more than {MAX_DEPTH} deep");
        return Err(list.place(Error::limit(message)).under("frames"));
    }
    let parts = list.items().enumerate().map(|(number, item)| {
        let part = read_at(item, depth + 1).map_err(|error| error.under(number).under("frames"))?;
        match part.axes.is_empty() {
            true => Err(item.error("a part of a composite frame has no axes").under(number).under("frames")),
            false => Ok(part),
        }
    });
    let parts = parts.collect::<Result<Vec<Frame>>>()?;
    // The axes in the order of the file.
    let mut axes = Vec::new();
    let mut order = Vec::new();
    let mut sky = None;
    for part in &parts {
        let places = ranks(&part.order);
        let stored = places.iter().filter_map(|&place| part.axes.get(place).cloned());
        let start = axes.len();
        axes.extend(stored);
        order.extend(&part.order);
        if let Some(positions) = part.sky {
            // From positions among the sorted axes back to those of the file.
            sky = sky.or(stored_positions(&places, positions).map(|found| found.map(|at| at + start)));
        }
    }
    if axes.len() > MAX_AXES {
        return Err(
            list.place(Error::limit(format!("found {} axes, expected at most {MAX_AXES}", axes.len())))
        );
    }
    let mut sorted = order.clone();
    sorted.sort_unstable();
    if sorted.windows(2).any(|pair| matches!(pair, [a, b] if a == b)) {
        let message =
            format!("found the axes {order:?} in `axes_order` of the parts, expected each number once");
        return Err(list.error(message).under("frames"));
    }
    Ok(sorted_frame(FrameKind::Composite, axes, order, None, parts, sky))
}

fn stored_positions(places: &[usize], sorted: [usize; 2]) -> Option<[usize; 2]> {
    let find = |wanted: usize| places.iter().position(|&place| place == wanted);
    Some([find(sorted[0])?, find(sorted[1])?])
}

fn simple(node: NodeRef<'_>, kind: FrameKind) -> Result<Frame> {
    let reference = node.get("reference_frame").and_then(ReferenceFrame::read);
    let names = texts(node, "axes_names")?;
    let units = units(node)?;
    let physical = texts(node, "axis_physical_types")?;
    let types = texts(node, "axes_type")?;
    let order = order(node)?;
    let declared =
        match node.get("naxes") {
            None => None,
            Some(count) => {
                let number = count.as_u64().and_then(|number| usize::try_from(number).ok());
                let number = number.filter(|number| *number <= MAX_AXES);
                Some(number.ok_or_else(|| {
                    count.expected(format!("a number of axes up to {MAX_AXES}")).under("naxes")
                })?)
            }
        };
    let lists = [
        ("axes_order", order.as_ref().map(Vec::len)),
        ("axes_names", names.as_ref().map(Vec::len)),
        ("unit", units.as_ref().map(Vec::len)),
        ("axis_physical_types", physical.as_ref().map(Vec::len)),
        ("axes_type", types.as_ref().map(Vec::len)),
    ];
    let of_lists = lists.iter().find_map(|(_, length)| *length);
    let default = match kind {
        FrameKind::Celestial => Some(2),
        _ => None,
    };
    let count = kind.axes().or(declared).or(of_lists).or(default).unwrap_or(0);
    for (key, length) in lists {
        if let Some(length) = length.filter(|length| *length != count) {
            let list = node.get(key).unwrap_or(node);
            return Err(list
                .error(format!("found {length} items, expected {count}, one for each axis"))
                .under(key));
        }
    }
    let of_reference = reference.as_ref().and_then(ReferenceFrame::physical_types);
    let axes = (0..count).map(|number| {
        let text = |list: &Option<Vec<String>>| list.as_ref().and_then(|list| list.get(number).cloned());
        let axis_type = match kind.axis_type() {
            "" => text(&types).unwrap_or_default(),
            of_kind => of_kind.to_owned(),
        };
        let name = text(&names).unwrap_or_else(|| default_name(kind, number).to_owned());
        let unit = units.as_ref().and_then(|units| units.get(number).cloned());
        let unit = unit.unwrap_or_else(|| Unit::parse_lenient(kind.unit()));
        let physical_type = text(&physical).unwrap_or_else(|| match (kind, of_reference) {
            (FrameKind::Celestial, Some(types)) => types.get(number).copied().unwrap_or_default().to_owned(),
            (FrameKind::Spectral, _) => spectral_type(&unit).to_owned(),
            (FrameKind::Temporal, _) => "time".to_owned(),
            (FrameKind::Stokes, _) => "phys.polarization.stokes".to_owned(),
            (FrameKind::Plane, _) if !name.is_empty() => format!("custom:{name}"),
            _ if axis_type.is_empty() => String::new(),
            _ => format!("custom:{axis_type}"),
        });
        Axis { name, unit, physical_type, axis_type }
    });
    let axes: Vec<Axis> = axes.collect();
    let order = order.unwrap_or_else(|| (0..count).collect());
    let sky = match kind {
        FrameKind::Celestial => (count >= 2).then_some([0, 1]),
        _ => sky_by_type(&axes),
    };
    Ok(sorted_frame(kind, axes, order, reference, Vec::new(), sky))
}

/// Makes a frame of axes in the order of the file. `sky` has positions in that order.
fn sorted_frame(
    kind: FrameKind,
    axes: Vec<Axis>,
    order: Vec<usize>,
    reference: Option<ReferenceFrame>,
    parts: Vec<Frame>,
    sky: Option<[usize; 2]>,
) -> Frame {
    let places = ranks(&order);
    let sky = sky.and_then(|[a, b]| Some([*places.get(a)?, *places.get(b)?]));
    let mut sorted: Vec<(usize, Axis)> = places.into_iter().zip(axes).collect();
    sorted.sort_by_key(|(place, _)| *place);
    let axes = sorted.into_iter().map(|(_, axis)| axis).collect();
    Frame { name: String::new(), kind, axes, order, reference, parts, sky }
}

/// Returns the place of each number among the sorted ones. Equal numbers keep their order.
fn ranks(order: &[usize]) -> Vec<usize> {
    let mut positions: Vec<usize> = (0..order.len()).collect();
    positions.sort_by_key(|&position| order.get(position));
    let mut places = vec![0; order.len()];
    for (place, position) in positions.into_iter().enumerate() {
        if let Some(slot) = places.get_mut(position) {
            *slot = place;
        }
    }
    places
}

fn sky_by_type(axes: &[Axis]) -> Option<[usize; 2]> {
    let find = |ends: [&str; 2]| {
        axes.iter().position(|axis| {
            let name = axis.physical_type.strip_prefix("pos.").unwrap_or_default();
            ends.iter().any(|end| name.ends_with(end))
        })
    };
    Some([find([".ra", ".lon"])?, find([".dec", ".lat"])?])
}

fn default_name(kind: FrameKind, number: usize) -> &'static str {
    match (kind, number) {
        (FrameKind::Plane, 0) => "x",
        (FrameKind::Plane, _) => "y",
        (FrameKind::Stokes, _) => "stokes",
        (FrameKind::Celestial, 0) => "lon",
        (FrameKind::Celestial, 1) => "lat",
        _ => "",
    }
}

fn spectral_type(unit: &Unit) -> &'static str {
    let is = |other: &str| Unit::parse(other).is_ok_and(|other| unit.factor_to(&other).is_ok());
    match () {
        () if is("Hz") => "em.freq",
        () if is("m") => "em.wl",
        () if is("J") => "em.energy",
        () if is("m/s") => "spect.dopplerVeloc",
        () => "",
    }
}

/// Reads a list of strings; one string is a list of one, and `null` in a list is an empty string.
fn texts(node: NodeRef<'_>, key: &str) -> Result<Option<Vec<String>>> {
    let Some(list) = node.get(key).filter(|list| !list.is_null()) else { return Ok(None) };
    if let Some(text) = list.as_str() {
        return Ok(Some(vec![text.to_owned()]));
    }
    let items = items(list, key, "a list of strings")?;
    let texts = items.into_iter().enumerate().map(|(number, item)| match item.as_str() {
        Some(text) => Ok(text.to_owned()),
        None if item.is_null() => Ok(String::new()),
        None => Err(item.expected("a string").under(number).under(key)),
    });
    texts.collect::<Result<_>>().map(Some)
}

fn units(node: NodeRef<'_>) -> Result<Option<Vec<Unit>>> {
    let Some(list) = node.get("unit").filter(|list| !list.is_null()) else { return Ok(None) };
    if let Some(text) = list.as_str() {
        return Ok(Some(vec![Unit::parse_lenient(text)]));
    }
    let items = items(list, "unit", "a list of units")?;
    let units = items.into_iter().enumerate().map(|(number, item)| match item.as_str() {
        Some(text) => Ok(Unit::parse_lenient(text)),
        None if item.is_null() => Ok(Unit::one()),
        None => Err(item.expected("a unit").under(number).under("unit")),
    });
    units.collect::<Result<_>>().map(Some)
}

fn order(node: NodeRef<'_>) -> Result<Option<Vec<usize>>> {
    let Some(list) = node.get("axes_order").filter(|list| !list.is_null()) else { return Ok(None) };
    let items = items(list, "axes_order", "a list of integers")?;
    let numbers = items.into_iter().enumerate().map(|(number, item)| {
        let value = item.as_u64().and_then(|value| usize::try_from(value).ok());
        value.ok_or_else(|| item.expected("the number of an axis").under(number).under("axes_order"))
    });
    numbers.collect::<Result<_>>().map(Some)
}

fn items<'t>(list: NodeRef<'t>, key: &str, what: &str) -> Result<Vec<NodeRef<'t>>> {
    if list.kind() != Kind::Sequence {
        return Err(list.expected(what).under(key));
    }
    if list.len() > MAX_AXES {
        let message = format!("found {} items, expected at most {MAX_AXES}", list.len());
        return Err(list.place(Error::limit(message)).under(key));
    }
    Ok(list.items().collect())
}
