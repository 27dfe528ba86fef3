"""Makes a Level 2 file with roman_datamodels, converts it to a Level 3 file with PROGRAM, and opens the result:
`pipeline.py PROGRAM`."""

import subprocess
import sys
import tempfile
from pathlib import Path

import asdf
import numpy as np
import roman_datamodels.datamodels as models

# The number that the program subtracts from every pixel.
DARK = 0.25


def level_2(path):
    image = models.ImageModel.create_fake_data(shape=(64, 64))
    y, x = np.mgrid[0:64, 0:64]
    image.data = (x + 100 * y).astype("float32")
    image.var_poisson = np.full((64, 64), 4, dtype="float16")
    image.dq = np.zeros((64, 64), dtype="uint32")
    image.dq[3, 5] = 1
    image.meta.observation.program = 17
    image.save(path)
    return image


def main(program):
    with tempfile.TemporaryDirectory() as folder:
        l2, l3 = Path(folder) / "l2.asdf", Path(folder) / "r17_mosaic.asdf"
        image = level_2(l2)
        subprocess.run([program, l2, l3], check=True)
        with models.open(l3) as mosaic:
            assert isinstance(mosaic, models.MosaicModel), type(mosaic)
            mosaic.validate()
            expected = image.data - DARK
            expected[3, 5] = np.nan
            np.testing.assert_array_equal(mosaic.data, expected)
            assert mosaic.data.dtype == np.float32
            weight = np.full((64, 64), 0.25, dtype="float32")
            weight[3, 5] = 0
            np.testing.assert_array_equal(mosaic.weight, weight)
            assert mosaic.meta.filename == "r17_mosaic.asdf"
            assert mosaic.meta.observation.program == 17
            assert mosaic.meta.instrument.optical_element == image.meta.instrument.optical_element
            # The coordinates are the same node as before.
            assert image.meta.wcs is None or mosaic.meta.wcs(1, 2) == image.meta.wcs(1, 2)
        with asdf.open(l3) as plain:
            plain.validate()
    print("the example pipeline: roman_datamodels accepts the Level 3 file made from a Level 2 file")


if __name__ == "__main__":
    main(sys.argv[1])
