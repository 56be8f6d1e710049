package dev.spur.agent;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** The Python that has what a test needs: the first of the path, or else that of the system. */
public final class Interpreter {
    private Interpreter() {}

    /** Returns a Python that has {@code modules}, separated by commas; skips the test without one. */
    public static String with(String modules) throws InterruptedException {
        Optional<String> found = Optional.empty();
        for (String python : List.of("python3", "/usr/bin/python3")) {
            if (found.isEmpty() && hasModules(python, modules)) {
                found = Optional.of(python);
            }
        }
        assumeTrue(
                found.isPresent(),
                "no python3 has %s: apt-get install python3-pytest python3-torch".formatted(modules));
        return found.orElseThrow();
    }

    private static boolean hasModules(String python, String modules) throws InterruptedException {
        try {
            return new ProcessBuilder(python, "-c", "import " + modules)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException missing) {
            return false;
        }
    }
}
