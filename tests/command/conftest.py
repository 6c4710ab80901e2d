"""The fork server of the tests of grading, for commands that grade."""

from tests.course.grading.conftest import lasting, one_server  # noqa: F401
