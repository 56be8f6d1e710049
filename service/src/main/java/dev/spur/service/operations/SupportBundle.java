package dev.spur.service.operations;

import dev.spur.model.json.RoundJson;
import dev.spur.service.cluster.SettingsStore;
import dev.spur.service.plans.PlanFeed;
import dev.spur.service.plans.RoundRecord;
import dev.spur.service.plans.RoundStore;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Collects the state of this replica and of the last rounds. A part that cannot be read contains the cause of the
 * failure instead.
 */
@Component
class SupportBundle {
    private static final Logger LOG = LoggerFactory.getLogger(SupportBundle.class);
    private static final int ROUNDS = 100;

    private final RedactedConfiguration properties;
    private final LogTail log;
    private final PlanFeed feed;
    private final RoundStore rounds;
    private final SettingsStore settings;
    private final PrometheusMeterRegistry metrics;

    SupportBundle(
            RedactedConfiguration properties,
            LogTail log,
            PlanFeed feed,
            RoundStore rounds,
            SettingsStore settings,
            PrometheusMeterRegistry metrics) {
        this.properties = properties;
        this.log = log;
        this.feed = feed;
        this.rounds = rounds;
        this.settings = settings;
        this.metrics = metrics;
    }

    /** Returns the bundle as a ZIP archive. */
    byte[] zip() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes, StandardCharsets.UTF_8)) {
            for (Map.Entry<String, Supplier<byte[]>> part : parts().entrySet()) {
                zip.putNextEntry(new ZipEntry("spur-support/" + part.getKey()));
                zip.write(contentOf(part.getKey(), part.getValue()));
                zip.closeEntry();
            }
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }

    private Map<String, Supplier<byte[]>> parts() {
        Map<String, Supplier<byte[]>> parts = new LinkedHashMap<>();
        parts.put("about.json", () -> json(environment()));
        parts.put("properties.json", () -> json(properties.redact()));
        parts.put("settings.json", () -> json(settings.current().value()));
        parts.put("metrics.txt", () -> text(metrics.scrape()));
        parts.put("rounds.json", () -> json(rounds.before(Long.MAX_VALUE, ROUNDS)));
        parts.put("plan.json", () -> json(feed.current().orElse(null)));
        parts.put("problem.json", this::lastProblem);
        parts.put("log.txt", () -> text(log.text()));
        return parts;
    }

    private static byte[] contentOf(String name, Supplier<byte[]> part) {
        try {
            return part.get();
        } catch (RuntimeException away) {
            LOG.warn("cannot read {} for a support bundle: {}", name, away.getMessage());
            return text("Cannot read this part: " + away.getMessage());
        }
    }

    private static Map<String, Object> environment() {
        Runtime machine = Runtime.getRuntime();
        Map<String, Object> about = new LinkedHashMap<>();
        about.put("version", String.valueOf(SupportBundle.class.getPackage().getImplementationVersion()));
        about.put("madeAt", Clock.systemUTC().instant().toString());
        about.put("upSeconds", ManagementFactory.getRuntimeMXBean().getUptime() / 1000);
        about.put("java", Runtime.version().toString());
        about.put("system", System.getProperty("os.name") + " " + System.getProperty("os.arch"));
        about.put("processors", machine.availableProcessors());
        about.put("heapMebibytes", machine.maxMemory() >> 20);
        return about;
    }

    /** Returns the newest stored snapshot of a round, for {@code ./spur solve}; JSON null if none is stored. */
    private byte[] lastProblem() {
        List<RoundRecord> last = rounds.before(Long.MAX_VALUE, ROUNDS);
        return last.stream()
                .map(round -> rounds.problem(round.number()))
                .flatMap(Optional::stream)
                .findFirst()
                .orElse(text("null"));
    }

    private static byte[] json(@Nullable Object value) {
        return RoundJson.mapper().writerWithDefaultPrettyPrinter().writeValueAsBytes(value);
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
