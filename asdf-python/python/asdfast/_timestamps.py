"""Timestamps of YAML 1.1 as PyYAML gives them, so that both packages agree."""

import datetime
import re

# The form of the YAML 1.1 type !!timestamp.
FORM = re.compile(
    r"(?P<year>\d{4})-(?P<month>\d\d?)-(?P<day>\d\d?)"
    r"(?:(?:[Tt]|[ \t]+)(?P<hour>\d\d?):(?P<minute>\d\d):(?P<second>\d\d)(?:\.(?P<fraction>\d*))?"
    r"(?:[ \t]*(?P<zone>Z|(?P<sign>[-+])(?P<zone_hour>\d\d?)(?::(?P<zone_minute>\d\d))?))?)?"
)


def parse(text: str) -> datetime.date | str:
    """Returns a date, or a datetime, with a zone if the text has one; the text if Python cannot hold it."""
    found = FORM.fullmatch(text.strip())
    if found is None:
        return text
    try:
        year, month, day = (int(found[name]) for name in ("year", "month", "day"))
        if found["hour"] is None:
            return datetime.date(year, month, day)
        hour, minute, second = (int(found[name]) for name in ("hour", "minute", "second"))
        fraction = int((found["fraction"] or "")[:6].ljust(6, "0"))
        zone = None
        if found["sign"]:
            offset = datetime.timedelta(hours=int(found["zone_hour"]), minutes=int(found["zone_minute"] or 0))
            zone = datetime.timezone(-offset if found["sign"] == "-" else offset)
        elif found["zone"]:
            zone = datetime.timezone.utc
        return datetime.datetime(year, month, day, hour, minute, second, fraction, tzinfo=zone)
    except ValueError:
        return text
