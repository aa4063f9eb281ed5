"""`biochunk --version`."""

from biochunk import __version__


def test_version(cli):
    ran = cli("--version")
    assert (ran.code, ran.out, ran.err) == (0, f"biochunk {__version__}\n", "")


def test_help_is_that_of_the_whole(cli):
    ran = cli("--help")
    assert ran.code == 0
    assert "Evidence chunks from biomedical text." in ran.out and "--version" in ran.out
