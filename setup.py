"""What pyproject.toml cannot say: the folder `configs/` is installed as the package `biochunk.configs`."""

from setuptools import find_packages, setup

setup(
    package_dir={"": "src", "biochunk.configs": "configs"},
    packages=[
        *find_packages("src"),
        "biochunk.data",
        "biochunk.configs",
        "biochunk.configs.datasets",
        "biochunk.configs.pipelines",
        "biochunk.configs.experiments",
    ],
)
