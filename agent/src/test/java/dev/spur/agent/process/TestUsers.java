package dev.spur.agent.process;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Users of this machine for one test, which are removed by {@link #close}. */
public final class TestUsers implements AutoCloseable {
    private static int count;

    private final List<String> names = new ArrayList<>();

    /** Skips the test if it cannot create users. */
    public TestUsers() throws IOException {
        boolean root = (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0;
        assumeTrue(root, "requires root, to create users of jobs");
        for (String program : List.of("useradd", "userdel", "setpriv", "getent")) {
            assumeTrue(run("sh", "-c", "command -v " + program) == 0, "requires " + program);
        }
    }

    /** Creates a user with a group of its own, and returns its name. */
    public synchronized String add() throws IOException {
        String name = "spurt-%d-%d".formatted(ProcessHandle.current().pid(), count++);
        add(name);
        return name;
    }

    /** Creates a user of this name with a group of its own. */
    synchronized void add(String name) throws IOException {
        add(name, List.of("--user-group"));
    }

    /** Creates a user of this name in the group of another one, and returns it. */
    synchronized String add(String name, String group) throws IOException {
        add(name, List.of("--gid", group));
        return name;
    }

    private void add(String name, List<String> options) throws IOException {
        List<String> command =
                new ArrayList<>(List.of("useradd", "--system", "--no-create-home", "--shell", "/usr/sbin/nologin"));
        command.addAll(options);
        command.add(name);
        if (run(command.toArray(String[]::new)) != 0) {
            throw new IOException("cannot create the user " + name);
        }
        // a user is removed before its group
        names.add(0, name);
    }

    static JobUser find(String name) throws IOException {
        return JobUser.find(name).orElseThrow();
    }

    private static int run(String... command) throws IOException {
        try {
            return new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        for (String name : names) {
            run("userdel", name);
        }
    }
}
