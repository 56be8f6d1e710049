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
        return first(
                List.of("python3", "/usr/bin/python3"),
                modules,
                "apt-get install python3-pytest python3-torch python3-libnbd");
    }

    /**
     * Returns a Python that has Lightning and transformers: that of {@code SPUR_FRAMEWORKS_PYTHON}, or else that of the
     * path; skips the test without one.
     */
    static String withFrameworks() throws InterruptedException {
        return first(
                List.of(System.getenv().getOrDefault("SPUR_FRAMEWORKS_PYTHON", "python3"), "python3"),
                "pytest, torch, lightning, transformers, accelerate",
                "pip install pytest torch lightning transformers accelerate");
    }

    /** Returns the Python that {@code SPUR_LINTERS_PYTHON} names; skips the test without linters. */
    static String withLinters() throws InterruptedException {
        return first(
                List.of(System.getenv().getOrDefault("SPUR_LINTERS_PYTHON", "python3")),
                "ruff, mypy",
                "pip install ruff==0.17.6 mypy==2.4.1");
    }

    private static String first(List<String> pythons, String modules, String remedy) throws InterruptedException {
        Optional<String> found = Optional.empty();
        for (String python : pythons) {
            if (found.isEmpty() && hasModules(python, modules)) {
                found = Optional.of(python);
            }
        }
        assumeTrue(found.isPresent(), "no python3 has %s: %s".formatted(modules, remedy));
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
