package dev.spur.benchmarks;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.List;
import java.util.Optional;

/** Python programs of this machine that have the modules of a benchmark. */
final class Pythons {
    private Pythons() {}

    /** Returns {@code stated}, or without a stated one the first Python of this machine, if it has PyTorch. */
    static String withTorch(String stated) {
        return first(stated.isEmpty() ? List.of("python3", "/usr/bin/python3") : List.of(stated), "torch")
                .orElseThrow(
                        () -> new IllegalStateException(
                                "No Python with PyTorch found. Install it (apt-get install python3-torch), or name one with --python."));
    }

    /** Returns the first program that imports {@code modules}, which are separated by commas. */
    static Optional<String> first(List<String> programs, String modules) {
        return programs.stream().filter(program -> imports(program, modules)).findFirst();
    }

    private static boolean imports(String program, String modules) {
        try {
            return new ProcessBuilder(program, "-c", "import " + modules)
                            .redirectErrorStream(true)
                            .redirectOutput(Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException missing) {
            return false;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
