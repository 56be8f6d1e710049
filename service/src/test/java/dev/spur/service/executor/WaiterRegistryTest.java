package dev.spur.service.executor;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockAsyncContext;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

class WaiterRegistryTest {
    private final WaiterRegistry room = new WaiterRegistry();

    private boolean enters(String executor, long known) {
        return room.enter(
                executor,
                known,
                () -> new PollWaiter(
                        executor,
                        known,
                        new MockAsyncContext(new MockHttpServletRequest(), new MockHttpServletResponse())));
    }

    @Test
    void nobodyWaitsForWhomNothingWasRead() {
        assertThat(enters("a", 7)).isFalse();
    }

    @Test
    void onlyWhoKnowsWhatWasReadLastWaits() {
        room.read("a", 7, room.now());

        assertThat(enters("a", 6)).isFalse();
        assertThat(enters("a", 7)).isTrue();
        assertThat(room.size()).isOne();
        assertThat(room.concerned()).isEmpty();
    }

    @Test
    void aChangeConcernsItsExecutorAlone() {
        room.read("a", 7, room.now());
        room.read("b", 7, room.now());
        enters("a", 7);
        enters("b", 7);

        room.changed("b");

        assertThat(room.concerned()).extracting(PollWaiter::executor).containsExactly("b");
        assertThat(enters("a", 7)).isTrue();
        assertThat(enters("b", 7)).isFalse();
    }

    @Test
    void aChangeOfAllConcernsAll() {
        room.read("a", 7, room.now());
        enters("a", 7);

        room.allChanged();

        assertThat(room.concerned()).hasSize(1);
        assertThat(enters("a", 7)).isFalse();
    }

    @Test
    void whatWasReadBeforeAChangeCountsForNothing() {
        long before = room.now();
        room.changed("a");
        room.read("a", 7, before);
        assertThat(enters("a", 7)).isFalse();

        room.read("a", 7, room.now());
        assertThat(enters("a", 7)).isTrue();
    }

    @Test
    void anOlderReadThatEndsLaterDoesNotReplaceANewerOne() {
        long before = room.now();
        room.changed("a");
        room.read("a", 8, room.now());

        room.read("a", 7, before);

        assertThat(enters("a", 8)).isTrue();
    }

    @Test
    void whoLeftIsNotConcerned() {
        room.read("a", 7, room.now());
        enters("a", 7);

        room.all().forEach(room::leave);
        room.changed("a");

        assertThat(room.concerned()).isEmpty();
        assertThat(room.size()).isZero();
    }
}
