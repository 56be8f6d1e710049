package dev.spur.service;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.builder.SpringApplicationBuilder;

/**
 * A replica, in a process of its own, that is killed by a signal at the beginning of the step of a round which a file
 * names.
 */
final class KillableReplica implements ObservationHandler<Observation.Context> {
    private static final String ORDER = "SPUR_TEST_KILL_AT";
    private final Path order = Path.of(System.getenv(ORDER));

    /** Starts one that reads {@code order}; settings are given as --name=value. */
    static SpurProcess start(Path order, Map<String, String> environment, String... settings) throws IOException {
        Map<String, String> all = new HashMap<>(environment);
        all.put(ORDER, order.toString());
        return SpurProcess.of(KillableReplica.class, all, settings);
    }

    public static void main(String[] settings) {
        String port = new SpringApplicationBuilder(SpurApplication.class, KillableReplica.class)
                .run(settings)
                .getEnvironment()
                .getRequiredProperty("local.server.port");
        System.out.println("Spur is ready: http://127.0.0.1:" + port);
    }

    @Override
    public void onStart(Observation.Context context) {
        try {
            if (Files.exists(order) && ("round " + Files.readString(order)).equals(context.getContextualName())) {
                String self = Long.toString(ProcessHandle.current().pid());
                new ProcessBuilder("kill", "-KILL", self).start().waitFor();
                TimeUnit.MINUTES.sleep(1);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean supportsContext(Observation.Context context) {
        return true;
    }
}
