package dev.spur.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Scripts as the real sbatch reads them, without a controller: with -vv it prints what it has read. */
class RealSbatchTest {
    private static final Path SBATCH = Path.of("/usr/bin/sbatch");

    @TempDir
    private Path folder;

    @BeforeEach
    void configure() throws IOException {
        assumeTrue(Files.isExecutable(SBATCH), "sbatch is not installed");
        Files.writeString(
                folder.resolve("slurm.conf"),
                "ClusterName=c\nSlurmctldHost=localhost\nNodeName=n1\nPartitionName=p Nodes=n1\nMessageTimeout=1\n");
    }

    private String sbatch(String... arguments) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(arguments).redirectErrorStream(true);
        builder.command().add(0, SBATCH.toString());
        builder.environment().put("SLURM_CONF", folder.resolve("slurm.conf").toString());
        try (var output = builder.start().getInputStream()) {
            return new String(output.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private Map<String, String> readBySbatch(String text) throws IOException {
        Path script = Files.writeString(folder.resolve("s.sh"), text);
        Map<String, String> options = Pattern.compile("sbatch: ([a-z-]+) +: (.*)")
                .matcher(sbatch("-vv", "--test-only", script.toString()))
                .results()
                .collect(Collectors.toMap(match -> match.group(1), match -> match.group(2), (a, b) -> b, TreeMap::new));
        options.remove("test-only");
        options.remove("verbose");
        return options;
    }

    private static Map<String, String> readBySpur(String text) {
        return new SbatchScript("s.sh", text)
                .options(new ArrayList<>()).stream()
                        .collect(Collectors.toMap(
                                option -> option.form().name(),
                                option -> option.value() == null ? "set" : option.value(),
                                (a, b) -> b,
                                TreeMap::new));
    }

    @Test
    void readsTheSameOptions() throws IOException {
        for (String text : new String[] {
            "#!/bin/bash\n#SBATCH --job-name=a -N2 -n 4 --gpus 8 # --mem=1G\n",
            "#!/bin/bash\n#SBATCH --job-na=a --gpus-per-n=4\n# c\n\n##SBATCH -N 3\n #SBATCH -N 4\necho\n#SBATCH -N 5\n",
            "#!/bin/bash\n#SBATCH -H -J \"two words\" --comment='it''s' -A x\n",
            "#!/bin/bash\n#SBATCH -HO -J\n#SBATCH 'a b'c\n#SBATCH --exclusive --wckey=w#1\n",
            "#!/bin/bash\n#SBATCH -J a\\\"b -A 'a\\\\b' --licenses=a\\#b --wckey=\"a#b\"\n",
            "#!/bin/bash\n#SBATCH --constraint=\"a&b\" --licenses=x:2 --reservation=r\n  \n#SBATCH -q high -x n1\n",
        }) {
            Map<String, String> real = readBySbatch(text);
            assertThat(real).as(text).isNotEmpty();
            Map<String, String> spurs = readBySpur(text);
            assertThat(spurs.keySet()).as(text).isEqualTo(real.keySet());
            spurs.forEach((name, value) -> assertThat(
                            value.equals("set") || real.get(name).contains(value))
                    .as("%s: %s is %s", text, name, real.get(name))
                    .isTrue());
        }
    }

    @Test
    void hasTheSameOptionsWithTheSameLetters() throws IOException {
        Map<String, String> letters = Pattern.compile("(?m)^ {2}(?:-([A-Za-z]),? +| {4})--([a-z-]+)")
                .matcher(sbatch("--help"))
                .results()
                .collect(Collectors.toMap(match -> match.group(2), RealSbatchTest::letter, (a, b) -> a, TreeMap::new));
        letters.keySet().removeAll(Set.of("help", "usage", "version"));
        Map<String, String> ours = SbatchOption.all().stream()
                .sorted(Comparator.comparing(SbatchOption::name))
                .collect(Collectors.toMap(
                        SbatchOption::name,
                        option -> String.valueOf(option.letter()).strip()));

        assertThat(letters).hasSizeGreaterThan(70);
        assertThat(ours).containsAllEntriesOf(letters);
    }

    private static String letter(MatchResult match) {
        return match.group(1) == null ? "" : match.group(1);
    }
}
