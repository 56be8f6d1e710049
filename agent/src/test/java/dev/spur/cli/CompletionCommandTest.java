package dev.spur.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The completion script in bash, with a program that prints the kind of names it was asked for. */
class CompletionCommandTest {
    @TempDir
    private Path folder;

    @Test
    void namesComeFromTheService() throws Exception {
        assertThat(completed("cancel", "")).containsExactly("jobs-name");
        assertThat(completed("cancel", "one", "x")).isEmpty();
        assertThat(completed("describe", "")).containsExactly("explained-name");
        assertThat(completed("retry", "e")).containsExactly("ended-name");
        assertThat(completed("drain", "n")).containsExactly("nodes-name");
        assertThat(completed("nodes", "--pool", "")).containsExactly("pools-name");
        assertThat(completed("what-if", "--remove-node", "")).containsExactly("nodes-name");
    }

    @Test
    void commandsOptionsAndStatesComeFromTheScript() throws Exception {
        assertThat(completed("drai")).containsExactly("drain");
        assertThat(completed("cancel", "--serv")).containsExactly("--service");
        assertThat(completed("jobs", "--state", "RU")).containsExactly("RUNNING");
    }

    private List<String> completed(String... words) throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "bash is missing, so the script is not run");
        var script = new StringWriter();
        Main.commandLine().setOut(new PrintWriter(script)).execute("completion", "bash");
        Path program = Files.writeString(folder.resolve("spur"), "#!/bin/bash\necho \"$2-name\"\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        String line = Stream.of(words).map("'%s'"::formatted).reduce("", (all, word) -> all + " " + word);
        Path file = Files.writeString(
                folder.resolve("run.sh"),
                "%s%nCOMP_WORDS=('%s' %s)%nCOMP_CWORD=%d%n_complete_spur_names spur%nprintf '%%s\\n' \"${COMPREPLY[@]}\"%n"
                        .formatted(script, program, line, words.length));
        Process bash = new ProcessBuilder("/bin/bash", file.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String printed = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return printed.lines()
                .map(String::strip)
                .filter(word -> !word.isEmpty())
                .toList();
    }
}
