package dev.spur.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.agent.protocol.Messages.LentMemory;
import dev.spur.agent.protocol.Messages.RevokedLoan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemoryLoansTest {
    private static final LentMemory BUSY = new LentMemory("busy", 1, "n2", 8, 900.0);
    private static final LentMemory IDLE = new LentMemory("idle", 3, "n3", 4, 1.0);
    private static final LentMemory UNKNOWN = new LentMemory("unknown", 1, "n2", 2, null);

    @TempDir
    private Path folder;

    private final List<String> log = new ArrayList<>();
    private MemoryLoans lending;

    @BeforeEach
    void lend() {
        lending = new MemoryLoans(folder.resolve("lends.json"), log::add);
        lending.update(List.of(BUSY, IDLE, UNKNOWN), 7);
    }

    private String file() throws IOException {
        return Files.readString(folder.resolve("lends.json"));
    }

    @Nested
    class WhatTheNodeNeeds {
        @Test
        void isTakenFromTheLeastActiveFirst() {
            lending.takeBack(5);

            assertThat(lending.now()).containsExactly(BUSY.withAmount(7), UNKNOWN);
            assertThat(lending.unreportedRevocations())
                    .containsExactlyInAnyOrder(new RevokedLoan("idle", 3, 0), new RevokedLoan("busy", 1, 7));
            assertThat(log).hasSize(2);
        }

        @Test
        void isTakenLastFromLoansOfUnknownUse() {
            lending.takeBack(13);

            assertThat(lending.now()).containsExactly(UNKNOWN.withAmount(1));
        }

        @Test
        void isNoMoreThanThereIs() {
            lending.takeBack(100);
            lending.takeBack(1);

            assertThat(lending.gib()).isZero();
        }

        @Test
        void isInTheFileAtOnce() throws IOException {
            assertThat(file()).contains("\"idle\"");

            lending.takeBack(4);

            assertThat(file()).doesNotContain("\"idle\"").contains("\"gib\":8");
        }
    }

    @Test
    void memoryTakenDuringAReportIsReportedNext() {
        lending.takeBack(2);
        List<RevokedLoan> first = lending.unreportedRevocations();
        lending.takeBack(1);
        lending.markReported(first);

        assertThat(lending.unreportedRevocations()).containsExactly(new RevokedLoan("idle", 3, 1));
    }

    @Nested
    class WhatWasTakenBack {
        @BeforeEach
        void takeBack() {
            lending.takeBack(4);
        }

        @Test
        void staysSoWhateverTheServiceSaysThatHasNotHeardOfIt() {
            lending.update(List.of(BUSY, IDLE), 8);
            lending.update(List.of(BUSY, IDLE), 9);
            lending.update(List.of(BUSY, IDLE), 10);

            assertThat(lending.now()).containsExactly(BUSY);
            assertThat(lending.unreportedRevocations()).containsExactly(new RevokedLoan("idle", 3, 0));
        }

        @Test
        void isReportedOnce() {
            lending.markReported(lending.unreportedRevocations());

            assertThat(lending.unreportedRevocations()).isEmpty();
            assertThat(lending.gib()).isEqualTo(10);
        }

        @Test
        void mayBeLentAgainOnceTheServiceHasAnswered() {
            lending.markReported(lending.unreportedRevocations());
            lending.update(List.of(BUSY), 8);
            lending.update(List.of(BUSY, IDLE), 9);

            assertThat(lending.now()).containsExactly(BUSY, IDLE);
        }

        @Test
        void isNotLentAgainByAnAnswerThatWasOnItsWay() {
            lending.markReported(lending.unreportedRevocations());
            lending.update(List.of(BUSY, IDLE), 8);

            assertThat(lending.now()).containsExactly(BUSY);

            lending.update(List.of(BUSY, IDLE), 9);
            assertThat(lending.now()).containsExactly(BUSY, IDLE);
        }

        @Test
        void isReportedAgainIfMoreIsTakenMeanwhile() {
            List<RevokedLoan> first = lending.unreportedRevocations();
            lending.takeBack(1);
            lending.markReported(first);

            assertThat(lending.unreportedRevocations()).containsExactly(new RevokedLoan("busy", 1, 7));
        }

        @Test
        void ofAnEarlierStartSaysNothingOfALaterOne() {
            LentMemory later = new LentMemory("idle", 4, "n3", 4, 1.0);
            lending.update(List.of(later), 8);

            assertThat(lending.now()).containsExactly(later);
            assertThat(lending.unreportedRevocations()).isEmpty();
        }
    }

    @Test
    void memoryIsLackingWhereWhatIsLentAndTheFloorDoNotFit() throws IOException {
        Path info = folder.resolve("meminfo");
        Files.writeString(info, "MemTotal:       16777216 kB\nMemAvailable:    6291456 kB\n");
        var memory = new MemoryWatch.Memory(info, 2, 16, () -> 1);

        assertThat(memory.missingGiB(4, 0)).isZero();
        assertThat(memory.missingGiB(5, 0)).isEqualTo(1);
        assertThat(memory.missingGiB(5, 1)).isZero();
        assertThat(memory.missingGiB(0, 0)).isZero();
        assertThat(memory.usedByOthersGiB()).isEqualTo(9);
    }

    @Test
    void ofAPartOfAMachineSomeIsUsedOnlyIfLessIsFreeThanItsJobsLeave() throws IOException {
        Path info = folder.resolve("meminfo");
        Files.writeString(info, "MemTotal:       16777216 kB\nMemAvailable:    6291456 kB\n");

        assertThat(new MemoryWatch.Memory(info, 2, 7, () -> 1).usedByOthersGiB())
                .isZero();
        assertThat(new MemoryWatch.Memory(info, 2, 8, () -> 1).usedByOthersGiB())
                .isEqualTo(1);
    }
}
