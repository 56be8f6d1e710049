package dev.spur.model.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class ReservationTest {
    @Test
    void itHoldsFromItsStartToBeforeItsEnd() {
        Reservation reservation = new Reservation("r", List.of("n1"), null, 10, 20);

        assertThat(reservation.holdsAt(9.9)).isFalse();
        assertThat(reservation.holdsAt(10)).isTrue();
        assertThat(reservation.holdsAt(19.9)).isTrue();
        assertThat(reservation.holdsAt(20)).isFalse();
    }

    @Test
    void itEndsAfterItsStart() {
        assertThatThrownBy(() -> new Reservation("r", List.of(), null, 10, 10)).hasMessageContaining("end (10.0)");
    }
}
