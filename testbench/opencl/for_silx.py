"""A pytest plugin that provides silx's tests with files and works around a defect of pyopencl.

The tests would download pictures from GitHub and silx.org. They compare with numpy, so any picture will do. `ascent` is
read from a scipy wheel that still contains it, the first path after `--pictures`. The others are drawn here, into the
folder that is the second path.

On platforms before OpenCL 1.2, pyopencl 2026.1.4 cannot create images without pitches: its own function does not accept
`None` for the pitches, and the test ends with a TypeError.
"""

import hashlib
import io
import json
import os
import pathlib
import pickle
import zipfile

import numpy as np
import pyopencl as cl
import scipy.datasets
from PIL import Image

SIZE = 512


def pytest_addoption(parser):
    parser.addoption("--pictures", nargs=2, required=True, metavar=("WHEEL", "FOLDER"))


def pytest_configure(config):
    wheel, folder = map(pathlib.Path, config.getoption("pictures"))
    with zipfile.ZipFile(wheel) as archive:
        ascent = np.array(pickle.loads(archive.read("scipy/misc/ascent.dat")))
    scipy.datasets.ascent = ascent.copy
    files = {"Brain512.npz": phantom(), "lena.png": colours(ascent)}
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        (folder / name).write_bytes(data)
    # silx checks downloaded files by these hashes.
    known = {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}
    (folder / "all_testdata.json").write_text(json.dumps(known))
    os.environ["SILX_DATA"] = str(folder)
    make = cl._cl.Image._custom_init

    def make_image(image, context, flags, form, *rest):
        # Shape, pitches and buffer before OpenCL 1.2, descriptor and buffer since.
        if len(rest) == 3:
            shape, pitches, buffer = rest
            rest = (shape, pitches or (), buffer)
        make(image, context, flags, form, *rest)

    cl._cl.Image._custom_init = make_image


def phantom():
    """Nested ellipses with values from 0 to 1, as a numpy file."""
    y, x = np.mgrid[-1 : 1 : SIZE * 1j, -1 : 1 : SIZE * 1j]
    image = np.zeros((SIZE, SIZE), np.float32)
    ellipses = [(0.5, 0.7, 0.9, 0, 0), (-0.3, 0.6, 0.8, 0, 0), (0.4, 0.2, 0.1, 0.2, -0.3), (0.3, 0.1, 0.3, -0.2, 0.1)]
    for value, width, height, dx, dy in ellipses:
        image[((x - dx) / width) ** 2 + ((y - dy) / height) ** 2 < 1] += value
    file = io.BytesIO()
    np.savez(file, data=image)
    return file.getvalue()


def colours(grey):
    """A picture in three colours, as PNG."""
    grey = grey.astype(np.uint8)
    file = io.BytesIO()
    Image.fromarray(np.stack([grey, grey[::-1], grey.T], axis=-1)).save(file, "png")
    return file.getvalue()
