import pytest
from tests.tools.workplace import Workplace


@pytest.fixture
def place(tmp_path):
    return Workplace(tmp_path / "work")
