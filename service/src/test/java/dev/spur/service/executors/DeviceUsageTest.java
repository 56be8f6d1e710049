package dev.spur.service.executors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.web.contract.ContractedClient.Answer;
import dev.spur.service.web.contract.ProblemType;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Utilization, memory and power of devices, from heartbeats. */
class DeviceUsageTest extends ExecutorsTest {
    private Answer report(String devices) {
        return api.put(
                one.path() + "/heartbeat",
                "{\"registrationEpoch\": %d, \"devices\": [%s]}".formatted(one.registrationEpoch(), devices));
    }

    private JsonNode usage() {
        JsonNode usage = api.get(one.path()).is(200).json().path("deviceUsage");
        assertThat(api.get("/api/v1/executors?node=n1").is(200).json().at("/items/0/deviceUsage"))
                .isEqualTo(usage);
        return usage;
    }

    @Test
    void isThatOfTheLastHeartbeat() {
        report("""
                {"uuid": "d0", "utilization": 0.93, "memoryUsedMiB": 61043, "powerWatts": 512.3}, {"uuid": "d1"},
                {"uuid": "d2", "healthy": false, "powerWatts": 70}""").is(200);

        assertThat(usage().size()).isEqualTo(2);
        assertThat(usage().at("/0/utilization").asDouble()).isEqualTo(0.93);
        assertThat(usage().at("/0/memoryUsedMiB").asDouble()).isEqualTo(61043);
        assertThat(usage().at("/1/uuid").asString()).isEqualTo("d2");
        assertThat(usage().at("/1/utilization").isNull()).isTrue();

        report("{\"uuid\": \"d0\"}").is(200);
        assertThat(usage()).isEmpty();
    }

    @Test
    void isUnknownAfterARegistration() {
        report("{\"uuid\": \"d0\", \"utilization\": 1}").is(200);
        one.register().is(200);

        assertThat(usage()).isEmpty();
    }

    @Test
    void isListedForTheDevicesOfAJob() {
        String job = placed(piece("n1", "d0", "d1"), piece("n2", "d3"));
        report("{\"uuid\": \"d1\", \"utilization\": 0.5, \"powerWatts\": 300}, {\"uuid\": \"d2\", \"utilization\": 1}")
                .is(200);

        JsonNode devices = api.get(JOBS + job + "/devices").is(200).json().path("devices");

        assertThat(devices.valueStream()
                        .map(one -> "%s %s %s %s"
                                .formatted(
                                        one.path("node").asString(),
                                        one.path("device").asString(),
                                        one.path("utilization"),
                                        one.path("powerWatts"))))
                .containsExactly("n1 d0 null null", "n1 d1 0.5 300.0", "n2 d3 null null");
        assertThat(devices.at("/1/reportedAt").isNull()).isFalse();
        assertThat(devices.at("/0/reportedAt").isNull()).isTrue();
        assertThat(api.get(JOBS + submit(1) + "/devices").is(200).json().path("devices"))
                .isEmpty();
        api.get(JOBS + "00000000-0000-0000-0000-000000000000/devices").is(ProblemType.NOT_FOUND);
    }

    @Test
    void isRejectedWithEveryValueThatIsImpossible() {
        assertThat(report("{\"uuid\": \"d0\", \"utilization\": 1.5, \"memoryUsedMiB\": -1, \"powerWatts\": \"much\"}")
                        .is(ProblemType.INVALID_REQUEST)
                        .json()
                        .path("errors")
                        .size())
                .isEqualTo(3);
    }
}
