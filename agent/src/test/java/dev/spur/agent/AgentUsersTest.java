package dev.spur.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.agent.process.TestUsers;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Errors of users at the start of an agent. */
class AgentUsersTest {
    @TempDir
    private Path folder;

    private final StringWriter errors = new StringWriter();

    @BeforeEach
    void open() throws Exception {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
    }

    private int start(String... options) {
        List<String> words =
                new ArrayList<>(List.of("--node=n", "--slots=1", "--type=cpu", "--state=" + folder + "/s"));
        words.addAll(List.of(options));
        return new CommandLine(new AgentCommand())
                .setErr(new PrintWriter(errors))
                .setOut(new PrintWriter(new StringWriter()))
                .execute(words.toArray(String[]::new));
    }

    @Test
    void anUnknownUserIsAnError() {
        assertThat(start("--user=vision=no-such-user")).isEqualTo(2);
        assertThat(errors.toString()).contains("the user \"no-such-user\" does not exist on this node");
        assertThat(folder.resolve("s")).doesNotExist();
    }

    @Test
    @Tag("process")
    void aTokenThatJobsCanReadIsAnError() throws Exception {
        try (TestUsers users = new TestUsers()) {
            Path token = Files.writeString(folder.resolve("token"), "secret");
            Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-r--r--"));

            assertThat(start("--user=" + users.add(), "--token=" + token)).isEqualTo(2);
            assertThat(errors.toString()).contains("chmod 600 " + token);
        }
    }

    @Test
    @Tag("process")
    void aStateDirectoryThatOthersCanChangeIsAnError() throws Exception {
        try (TestUsers users = new TestUsers()) {
            Path state = Files.createDirectory(folder.resolve("s"));
            Files.setPosixFilePermissions(state, PosixFilePermissions.fromString("rwxrwxrwx"));

            assertThat(start("--user=" + users.add())).isEqualTo(1);
            assertThat(errors.toString()).contains("chmod go-w " + state);
        }
    }
}
