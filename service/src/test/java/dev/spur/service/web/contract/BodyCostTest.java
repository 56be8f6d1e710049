package dev.spur.service.web.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What it costs to parse and validate a body that is made to be expensive. Memory is measured, because it does not
 * depend on the machine.
 */
class BodyCostTest {
    private static final Contract CONTRACT = ContractedClient.contract();
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final long MAX_ALLOCATED = 64L << 20;

    private static String times(int times, String item) {
        return IntStream.range(0, times).mapToObj(i -> item).collect(Collectors.joining(","));
    }

    private static String distinct(int times, String format) {
        return IntStream.range(0, times).mapToObj(format::formatted).collect(Collectors.joining(","));
    }

    /** Bodies as large as their operation takes. */
    static Stream<Arguments> bodies() {
        return Stream.of(
                Arguments.of("runWhatIf", "{\"changes\": [" + times(87_000, "{}") + "]}"),
                Arguments.of("runWhatIf", "{\"changes\": [" + times(100, "{\"change\": \"HOLD_JOB\"}") + "]}"),
                Arguments.of("submitJob", "{\"dependsOn\": [" + times(65_000, "{}") + "]}"),
                Arguments.of("submitJob", "{\"dependsOn\": [" + distinct(12_000, "{\"job\": \"%06d\"}") + "]}"),
                Arguments.of("submitJob", "{\"labels\": {" + distinct(16_000, "\"%06d\": \"a\"") + "}}"),
                Arguments.of("submitJob", "{\"labels\": {" + distinct(16_000, "\"%06d\": 7") + "}}"),
                Arguments.of("submitJob", "{" + distinct(20_000, "\"%06d\": 7") + "}"),
                Arguments.of("submitJob", "{" + distinct(250, "\"%06d" + "k".repeat(900) + "\": 7") + "}"),
                Arguments.of("submitJob", "{\"owner\": \"" + "\\u0000".repeat(40_000) + "\"}"),
                Arguments.of("submitJob", "{\"spec\": {\"profile\": {\"points\": [" + times(87_000, "{}") + "]}}}"),
                Arguments.of("submitJob", "[" + times(6_000, "[".repeat(20) + "]".repeat(20)) + "]"),
                Arguments.of("submitJob", "[" + times(28_000, "\"\\u0000\"") + "]"),
                Arguments.of("sendHeartbeat", "{\"assignments\": [" + times(87_000, "{}") + "]}"),
                Arguments.of("solveSnapshot", "{\"jobs\": [" + times(87_000, "{}") + "]}"));
    }

    private static Operation operation(String id) {
        return CONTRACT.operations().stream()
                .filter(operation -> operation.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private static int errors(Operation operation, byte[] body) {
        var problem = catchThrowableOfType(ProblemException.class, () -> BodyReader.read(body));
        if (problem != null) {
            return problem.errors().size();
        }
        return operation
                .bodies()
                .get("application/json")
                .errors(BodyReader.read(body))
                .size();
    }

    @ParameterizedTest
    @MethodSource("bodies")
    void isAtMost64MiB(String id, String json) {
        Operation operation = operation(id);
        byte[] body = json.getBytes(StandardCharsets.UTF_8);
        assertThat(body.length).isLessThanOrEqualTo(operation.mostBytes());
        errors(operation, "{}".getBytes(StandardCharsets.UTF_8));

        long before = THREADS.getCurrentThreadAllocatedBytes();
        int errors = errors(operation, body);
        long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;

        assertThat(errors).isBetween(1, SchemaCheck.MAX_ERRORS);
        assertThat(allocated).isLessThan(MAX_ALLOCATED);
    }

    @Test
    void aLargeBodyDoesNotReachTheParser() {
        assertThat(operation("runWhatIf").mostBytes()).isEqualTo(256 << 10);
        assertThat(operation("reportAdaptDlHints").mostBytes()).isEqualTo(16 << 10);
        assertThat(CONTRACT.operations())
                .filteredOn(operation -> operation.mostBytes() > Operation.ORDINARY_BYTES)
                .extracting(Operation::id)
                .containsExactly("solveSnapshot");
    }
}
