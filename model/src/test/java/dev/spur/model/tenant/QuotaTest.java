package dev.spur.model.tenant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class QuotaTest {
    @Test
    void theMostIsNominalAndBorrowingLimit() {
        assertThat(new Quota(8, 3, null).max()).isEqualTo(11);
        assertThat(new Quota(8, 0, null).max()).isEqualTo(8);
        assertThat(new Quota(8, null, null).max()).isEqualTo(Integer.MAX_VALUE);
        assertThat(new Quota(Integer.MAX_VALUE, Integer.MAX_VALUE, null).max()).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void whatIsBeyondTheLendingLimitIsNeverLent() {
        assertThat(new Quota(8, null, 3).notLendable()).isEqualTo(5);
        assertThat(new Quota(8, null, 9).notLendable()).isZero();
        assertThat(new Quota(8, null, null).notLendable()).isZero();
    }

    @Test
    void limitsBelowZeroAreRefused() {
        assertThatThrownBy(() -> new Quota(-1, null, null)).hasMessageContaining("nominal (-1)");
        assertThatThrownBy(() -> new Quota(1, -1, null)).hasMessageContaining("borrowingLimit (-1)");
        assertThatThrownBy(() -> new Quota(1, null, -1)).hasMessageContaining("lendingLimit (-1)");
    }
}
