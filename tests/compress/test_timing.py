"""A pass is due past the threshold of the true window, by what providers count, and not for ever."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archivist.compress.timing import Count, Passed, calibrated, limits, verdict


@given(st.integers(1, 4_000_000), st.none() | st.integers(0, 200_000), st.none() | st.integers(1, 4_000_000))
def test_the_threshold_is_below_what_the_window_can_hold_and_the_target_below_it(window, reply, learned):
    found = limits(window, reply=reply, learned=learned)
    assert 1 <= found.target <= found.threshold <= max(1, found.window)
    assert found.window < 16 or found.threshold < found.window


@pytest.mark.parametrize(
    ("window", "threshold"),
    [
        (4_000, 2_250),
        (8_000, 4_500),
        (32_000, 12_000),
        (128_000, 60_000),
        (200_000, 96_000),
        (1_000_000, 400_000),
        (2_000_000, 400_000),
    ],
)
def test_windows_from_small_to_very_large(window, threshold):
    assert limits(window).threshold == threshold


def test_a_window_as_small_as_any_threshold_still_compresses():
    """NousResearch/hermes-agent#14690: the window was as large as the least threshold, and compaction never fired."""
    found = limits(64_000)
    assert verdict(found, 50_000).state == "compress"


def test_a_window_that_turned_out_smaller_counts():
    """openclaw/openclaw#121230: the catalogue said 1.05 million, the server had 205,000."""
    assert limits(1_050_000, learned=205_000).threshold < 105_000


def test_a_switch_to_a_smaller_model_is_seen_before_it_is_made():
    """NousResearch/hermes-agent#52392: a fallback model's window was too small for the conversation."""
    assert verdict(limits(64_000), 150_000).state == "compress"


def test_what_was_counted_goes_before_what_was_estimated():
    """NousResearch/hermes-agent#62605: an estimate that was too low let the window overflow."""
    assert calibrated(60_000, Count(counted=70_000, estimated=50_000)) == 84_000
    assert calibrated(60_000, None) == 60_000
    assert verdict(limits(128_000), 55_000, last=Count(70_000, 50_000)).state == "compress"
    assert verdict(limits(128_000), 65_000, last=Count(40_000, 60_000)).state == "wait"


def test_two_passes_that_save_nearly_nothing_end_it_with_a_suggestion():
    idle, good = Passed(100, 95), Passed(100, 40)
    bounds = limits(128_000)
    assert verdict(bounds, 90_000, passes=[idle]).state == "compress"
    assert verdict(bounds, 90_000, passes=[idle, good]).state == "compress"
    assert verdict(bounds, 90_000, passes=[good, idle, idle]).state == "new-session"
    (notice,) = verdict(bounds, 90_000, passes=[idle, idle]).notices
    assert (notice.code, "new session" in notice.text) == ("compressing-stopped", True)


def test_below_the_threshold_nothing_is_said():
    assert verdict(limits(128_000), 10_000, passes=[Passed(100, 99)] * 5).notices == ()
