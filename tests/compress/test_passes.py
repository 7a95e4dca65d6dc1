"""Pass after pass over messages in whatever state: never longer, always valid, and in the end at rest."""

import copy
import json

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.compress.histories import ANY, said, valid

from archivist import check_messages
from archivist.compress.compressing import compress, plan_compression
from archivist.compress.reading import total
from archivist.compress.repairing import repair

USER = said("user", "Go on.")
TARGETS = st.sampled_from([1, 10, 60, 300, 2_000, 8_000])
SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]


@settings(max_examples=100, suppress_health_check=SLOW)
@given(ANY, TARGETS)
def test_a_pass_leaves_what_it_is_given_as_it_was_and_makes_it_no_longer(messages, target):
    given = [USER, *messages]
    before = copy.deepcopy(given)
    done = compress(given, target)
    assert repr(given) == repr(before)
    assert done.report.plan == plan_compression(given, target)
    assert total(done.messages) <= total(repair(given))
    json.dumps(done.messages, default=str)


@settings(max_examples=100, suppress_health_check=SLOW)
@given(ANY, TARGETS)
def test_where_nothing_is_saved_the_messages_are_as_they_were(messages, target):
    given = [USER, *messages]
    done = compress(given, target)
    if "nothing-saved" in {notice.code for notice in done.report.notices}:
        assert done.messages == repair(given)
        assert done.report.after == done.report.before
    else:
        assert done.report.after < done.report.before


@settings(max_examples=40, suppress_health_check=SLOW)
@given(st.one_of(ANY, valid(most=40)), TARGETS)
def test_twenty_passes_in_a_row_come_to_rest(messages, target):
    now = compress([USER, *messages], target).messages
    for number in range(20):
        done = compress(now, target)
        assert check_messages(done.messages, in_flight=True) == ()
        assert done.report.after <= done.report.before
        if number > 3:
            assert done.messages == now
        now = done.messages
