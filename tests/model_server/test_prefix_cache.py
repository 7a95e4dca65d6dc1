"""What a prefix cache holds, by the bytes of the requests."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.model_server.anthropic_form import blocks, marks
from tests.model_server.counting import tokens_of
from tests.model_server.prefix_cache import LASTS, PrefixCache

LONG = "x" * 8_000  # 2,000 tokens


@pytest.fixture
def clock():
    class Clock:
        now = 0.0

        def __call__(self):
            return self.now

    return Clock()


@pytest.fixture
def cache(clock):
    return PrefixCache(clock)


class TestMarked:
    def test_what_is_marked_is_written_once_and_read_then(self, cache):
        first = cache.explicit("k", [LONG, "a"], [0])
        again = cache.explicit("k", [LONG, "b" * 40], [0])
        assert (first.written, first.read, first.fresh) == (2_000, 0, 1)
        assert (again.written, again.read, again.fresh) == (0, 2_000, 10)

    def test_a_mark_that_moves_on_finds_the_one_before(self, cache):
        cache.explicit("k", [LONG, "a" * 40], [0, 1])
        moved = cache.explicit("k", [LONG, "a" * 40, "b" * 80], [0, 2])
        assert (moved.read, moved.written, moved.fresh) == (2_010, 20, 0)

    def test_a_change_at_the_head_loses_everything(self, cache):
        cache.explicit("k", ["tools", LONG], [1])
        assert cache.explicit("k", ["tools!", LONG], [1]).read == 0

    def test_less_than_the_minimum_is_not_kept(self, cache):
        short = ["y" * 400]
        assert cache.explicit("k", short, [0]).written == 0
        assert cache.explicit("k", short, [0]).fresh == 100
        assert cache.explicit("k", short, [0], 50).written == 100

    def test_a_mark_looks_back_twenty_blocks(self, cache):
        blocks = [LONG, *map(str, range(30))]
        cache.explicit("k", blocks[:1], [0])
        assert cache.explicit("k", blocks[:21], [20]).read == 2_000
        cache = PrefixCache(cache.clock)
        cache.explicit("k", blocks[:1], [0])
        assert cache.explicit("k", blocks[:22], [21]).read == 0

    def test_it_forgets_after_its_time_and_a_use_renews_it(self, cache, clock):
        cache.explicit("k", [LONG], [0])
        clock.now = LASTS
        assert cache.explicit("k", [LONG], [0]).read == 2_000
        clock.now = 2 * LASTS
        assert cache.explicit("k", [LONG], [0]).read == 2_000
        clock.now = 3 * LASTS + 1
        assert cache.explicit("k", [LONG], [0]).read == 0

    def test_accounts_share_nothing(self, cache):
        cache.explicit("k", [LONG], [0])
        assert cache.explicit("other", [LONG], [0]).read == 0

    def test_markers_are_no_part_of_what_is_kept(self):
        text = {"type": "text", "text": "x"}
        plain = {"system": [text], "messages": [{"role": "user", "content": "hi"}]}
        marked = {"system": [{**text, "cache_control": {"type": "ephemeral"}}], "messages": plain["messages"]}
        assert blocks(plain) == blocks(marked)
        assert (marks(plain), marks(marked)) == ([], [0])


class TestByItself:
    def test_the_beginning_that_requests_share_is_read_in_steps(self, cache):
        cache.automatic("k", [LONG, "a"])
        spent = cache.automatic("k", [LONG, "b" * 400])
        assert spent.read == 1_920  # 15 steps of 128
        assert spent.fresh == tokens_of(LONG) + 100 - 1_920

    def test_a_short_beginning_is_not_kept(self, cache):
        cache.automatic("k", ["y" * 4_000])
        assert cache.automatic("k", ["y" * 4_000]).read == 0

    def test_it_forgets_after_its_time(self, cache, clock):
        cache.automatic("k", [LONG])
        clock.now = LASTS + 1
        assert cache.automatic("k", [LONG]).read == 0


class TestThePerfectFreeze:
    def test_a_conversation_that_only_grows_costs_what_is_perfect(self, cache):
        blocks, cost, perfect = [LONG], 0.0, 0.0
        for turn in range(20):
            blocks.append(f"{turn:04}" * 50)
            spent = cache.explicit("k", blocks, [0, len(blocks) - 1])
            cost, perfect = cost + spent.cost, perfect + spent.perfect
        assert cost == pytest.approx(perfect)

    def test_a_head_that_changes_costs_more(self, cache):
        cost = perfect = 0.0
        for turn in range(20):
            spent = cache.explicit("k", [f"{turn:04}", LONG, "a" * 40 * turn or "a"], [1, 2])
            cost, perfect = cost + spent.cost, perfect + spent.perfect
        assert cost > 5 * perfect


@given(
    st.lists(
        st.lists(st.sampled_from(["a" * 4_400, "b" * 2_000, "c" * 40]), min_size=1, max_size=8),
        min_size=1,
        max_size=6,
    )
)
def test_every_token_is_accounted_for_once(requests):
    cache = PrefixCache(lambda: 0.0)
    for request in requests:
        size = sum(tokens_of(one) for one in request)
        for spent in (
            cache.explicit("k", request, [len(request) - 1, 0]),
            cache.automatic("other", request),
        ):
            assert spent.fresh + spent.written + spent.read == size
            assert min(spent.fresh, spent.written, spent.read) >= 0
