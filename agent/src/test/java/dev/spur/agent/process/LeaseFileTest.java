package dev.spur.agent.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeaseFileTest {
    @TempDir
    private Path folder;

    private StateDirectory state;
    private LeaseFile lease;

    @BeforeEach
    void open() throws Exception {
        state = StateDirectory.open(folder);
        lease = new LeaseFile(state);
    }

    @AfterEach
    void close() throws Exception {
        state.close();
    }

    @Test
    void isOverBeforeItWasGranted() {
        assertThat(lease.secondsLeft()).isZero();
    }

    @Test
    void isOverwrittenSoThatARenewalNeedsNoSpace() throws Exception {
        lease.renew(LeaseFile.uptime(), Duration.ofSeconds(9));
        Object before = file().fileKey();
        long size = file().size();

        lease.renew(LeaseFile.uptime(), Duration.ofDays(9));

        assertThat(file().fileKey()).isEqualTo(before);
        assertThat(file().size()).isEqualTo(size);
        assertThat(lease.secondsLeft()).isBetween(9 * 86_400 - 60.0, 9 * 86_400.0);
    }

    private BasicFileAttributes file() throws Exception {
        return Files.readAttributes(state.lease(), BasicFileAttributes.class);
    }

    @Test
    void isNeverReadInPart() throws Exception {
        var done = new AtomicBoolean();
        lease.renew(0, Duration.ofSeconds(999_999_999));
        Thread renewals = new Thread(() -> {
            for (int i = 0; i < 20_000; i++) {
                lease.renew(0, Duration.ofSeconds(i % 2 == 0 ? 111_111_111 : 999_999_999));
            }
            done.set(true);
        });
        renewals.start();
        while (!done.get()) {
            long until = Math.round(lease.secondsLeft() + LeaseFile.uptime());
            assertThat(until).isIn(111_111_111L, 999_999_999L);
        }
        renewals.join();
    }
}
