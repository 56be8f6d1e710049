package dev.spur.solver.placement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.job.Elasticity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SharedDevicesTest {
    private final SharedDevices devices = new SharedDevices();

    @Test
    void aShareGoesToTheFullestDeviceThatHoldsIt() {
        assertThat(devices.add(1, 60, SharedDevices.ANY)).isTrue();
        assertThat(devices.add(2, 70, SharedDevices.ANY)).isTrue();
        assertThat(devices.add(3, 30, SharedDevices.ANY)).isFalse();

        assertThat(devices.numberOf(3)).isEqualTo(devices.numberOf(2));
        assertThat(devices.rooms()).containsExactly(40);
        assertThat(devices.tightestRoom(41)).isEqualTo(-1);
    }

    @Test
    void aKeptShareHasItsOwnDevice() {
        devices.add(1, 20, 3);

        assertThat(devices.numberOf(1)).isEqualTo(3);
        assertThat(devices.hold(80, 3)).isTrue();
        assertThat(devices.hold(81, 3)).isFalse();
        assertThat(devices.hold(10, 2)).as("a device that is not shared").isFalse();
        assertThat(devices.add(2, 20, 2)).isTrue();
    }

    @Test
    void theLastShareFreesItsDevice() {
        devices.add(1, 50, SharedDevices.ANY);
        devices.add(2, 50, SharedDevices.ANY);

        assertThat(devices.without(List.of(1, 2)).size()).isZero();
        assertThat(devices.remove(1)).isFalse();
        assertThat(devices.remove(2)).isTrue();
        assertThat(devices.size()).isZero();
    }

    @Test
    void anotherPackingFreesADevice() {
        devices.add(1, 60, SharedDevices.ANY);
        devices.add(2, 30, SharedDevices.ANY);
        devices.add(3, 70, SharedDevices.ANY);
        devices.add(4, 40, SharedDevices.ANY);

        assertThat(devices.size()).isEqualTo(3);
        assertThat(devices.compress(1)).isEqualTo(1);
        assertThat(devices.size()).isEqualTo(2);
        assertThat(devices.rooms()).isEmpty();
        assertThat(devices.compress(1)).isZero();
    }

    @Test
    void aKeptShareStaysWhereOthersArePackedAgain() {
        devices.add(1, 50, 0);
        devices.add(2, 60, SharedDevices.ANY);
        devices.add(3, 50, SharedDevices.ANY);
        devices.add(4, 40, SharedDevices.ANY);

        assertThat(devices.numberOf(1)).isZero();
        assertThat(devices.all()).hasSize(2);
        assertThat(devices.compress(2)).isZero();
        assertThat(devices.numberOf(1)).isZero();
    }

    /** Random shares come and go; no device holds more than its whole, whatever the order. */
    @Test
    void noDeviceHoldsMoreThanItsWhole() {
        Random random = new Random(1);
        Map<Integer, Integer> held = new HashMap<>();
        for (int step = 0; step < 3_000; step++) {
            List<Integer> jobs = new ArrayList<>(held.keySet());
            if (!jobs.isEmpty() && random.nextInt(5) < 2) {
                int job = jobs.get(random.nextInt(jobs.size()));
                devices.remove(job);
                held.remove(job);
            } else if (held.size() < 20) {
                int parts = 1 + random.nextInt(99);
                devices.add(step, parts, SharedDevices.ANY);
                held.put(step, parts);
            }
            int before = devices.size();
            int free = random.nextInt(4) == 0 ? devices.compress(1) : 0;

            Map<Integer, Integer> used = new HashMap<>();
            held.forEach((job, parts) -> used.merge(devices.numberOf(job), parts, Integer::sum));
            assertThat(used.values()).allMatch(parts -> parts <= Elasticity.PARTS);
            assertThat(used).hasSize(before - free).hasSize(devices.size());
            devices.all()
                    .forEach(room -> assertThat(room.parts()).isEqualTo(Elasticity.PARTS - used.get(room.number())));
        }
    }
}
