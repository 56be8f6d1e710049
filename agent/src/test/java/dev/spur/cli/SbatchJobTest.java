package dev.spur.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Jobs from scripts with options of sbatch. */
class SbatchJobTest {
    private static final String GPU = "--gpus=1\n";

    private static SbatchScript script(String options) {
        return new SbatchScript(
                "/shared/train.sh",
                "#!/bin/bash\n#SBATCH " + options.replace("\n", "\n#SBATCH ") + "\npython train.py\n");
    }

    private static ObjectNode body(String options) {
        return new SbatchJob(script(options), Set.of(), Map.of("TOKEN", "t")).body(List.of(), false);
    }

    private static JsonNode spec(String options) {
        return body(options).path("spec");
    }

    private static List<String> warnings(String options) {
        SbatchJob job = new SbatchJob(script(options), Set.of(), Map.of());
        job.body(List.of(), false);
        return job.warnings();
    }

    @Nested
    class Lines {
        private final List<String> errors = new ArrayList<>();

        private List<String> options(String text) {
            return new SbatchScript("s", text)
                    .options(errors).stream().map(SbatchScript.Stated::text).toList();
        }

        @Test
        void haveManyOptionsInEachForm() {
            assertThat(options("""
                    #!/bin/bash
                    #SBATCH --job-name=a -N2 -n 4 --gpus 8 # --mem=1G
                    # a comment

                    ##SBATCH --mem=2G
                     #SBATCH --mem=3G
                    #SBATCH -HO -J "two words" --comment='it''s' --nice
                    #SBATCH --gpus-per-n=4
                    echo
                    #SBATCH --mem=4G
                    """))
                    .containsExactly(
                            "--job-name=a",
                            "--nodes=2",
                            "--ntasks=4",
                            "--gpus=8",
                            "--hold",
                            "--overcommit",
                            "--job-name=two words",
                            "--comment=its",
                            "--nice",
                            "--gpus-per-node=4");
        }

        @Test
        void withUnknownOptionsAreRefused() {
            for (String line : List.of("--bogus", "-Z", "word", "--gpus", "--n=1")) {
                errors.clear();
                options("#!/bin/sh\n#SBATCH " + line);
                assertThat(errors).as(line).singleElement().asString().startsWith("line 2: ");
            }
        }

        @Test
        void withUnknownOptionsAreRefusedTogetherWithEachWrongValueOnce() {
            assertThatThrownBy(() -> body("--bogus\n--nodes=4k --gres=gpu:2\n-Z --time=never"))
                    .isInstanceOfSatisfying(
                            CommandFailure.class,
                            failure -> assertThat(failure.getMessage().lines().skip(1))
                                    .containsExactly(
                                            "  line 2: sbatch has no option --bogus",
                                            "  line 4: sbatch has no option -Z",
                                            "  --nodes=4k: state a number or a range, such as 2 or 1-4",
                                            "  --time: 'never' is no time; expected MINUTES, H:MM:SS or D-HH:MM:SS, such as 4:00:00, or unlimited"));
        }
    }

    @Nested
    class Options {
        @Test
        void becomeTheJob() {
            ObjectNode job = body("""
                    --job-name=resnet --account=vision --partition=main,old
                    --nodes=2 --gpus-per-node=a100:4 --cpus-per-task=8 --ntasks-per-node=4 --mem=512G
                    --time=1-00:00:00 --exclude=n[1-2] --nodelist=m1,m2
                    --chdir=/shared --export=TOKEN,DATA=/data,MISSING --signal=B:TERM@120 --no-requeue""");

            assertThat(job.path("name").asString()).isEqualTo("resnet");
            assertThat(job.path("tenant").asString()).isEqualTo("vision");
            assertThat(job.at("/spec/elasticity").toString())
                    .isEqualTo("{\"acceleratorTypes\":[\"a100\"],\"maxNodes\":2,\"minSlots\":8,\"maxSlots\":8,"
                            + "\"pools\":[\"main\",\"old\"],\"nodes\":["
                            + "{\"label\":\"spur/node\",\"operator\":\"IN\",\"values\":[\"m1\",\"m2\"]},"
                            + "{\"label\":\"spur/node\",\"operator\":\"NOT_IN\",\"values\":[\"n1\",\"n2\"]}]}");
            assertThat(job.at("/spec/host").toString()).isEqualTo("{\"cpusPerSlot\":8.0,\"memoryGiBPerSlot\":128.0}");
            assertThat(job.at("/spec/timeLimit/seconds").asDouble()).isEqualTo(86_400);
            assertThat(job.at("/spec/preemptible").asBoolean()).isFalse();
            assertThat(job.at("/command/maxRestarts").asInt()).isZero();
            assertThat(job.at("/command/graceSeconds").asInt()).isEqualTo(120);
            assertThat(job.at("/command/workdir").asString()).isEqualTo("/shared");
            assertThat(job.at("/command/launch").asString()).isEqualTo("PER_NODE");
            assertThat(job.at("/command/env/TOKEN").asString()).isEqualTo("t");
            assertThat(job.at("/command/env/DATA").asString()).isEqualTo("/data");
            assertThat(job.at("/command/env/MISSING").isMissingNode()).isTrue();
            assertThat(job.at("/command/env/SLURM_NNODES").asString()).isEqualTo("${NNODES}");
            assertThat(job.at("/command/env/SLURM_CPUS_PER_TASK").asString()).isEqualTo("8");
        }

        @Test
        void stateTheSlotsInManyWays() {
            Map.of(
                            "-G 3", 3,
                            "--gres=gpu:2 -N3", 6,
                            "--gres=gpu", 1,
                            "--gres=gpu:h100", 1,
                            "--gpus-per-task=2 --ntasks=4", 8,
                            "--gpus-per-task=1 --ntasks-per-node=4 --nodes=2", 8,
                            "--ntasks=8 --ntasks-per-gpu=2", 4,
                            "--gpus=h100:16 --nodes=1-4", 16)
                    .forEach((options, slots) -> assertThat(
                                    spec(options).at("/elasticity/minSlots").asInt())
                            .as(options)
                            .isEqualTo(slots));
            Map.of(
                            "--gpus=6 --gpus-per-node=2", "6 on 3",
                            "--gres=gpu:4 --gpus=8", "8 on 2",
                            "--ntasks=8 --gpus-per-task=1 --gpus-per-node=4", "8 on 2",
                            "--gpus-per-node=4 --ntasks=8 --ntasks-per-node=4", "8 on 2",
                            "--gpus-per-node=4 --ntasks=8", "4 on 1",
                            "--gpus=7 --gpus-per-node=4 --nodes=3", "7 on 3")
                    .forEach((options, expected) -> assertThat(spec(options)
                                            .at("/elasticity/minSlots")
                                            .asInt() + " on "
                                    + spec(options).at("/elasticity/maxNodes").asInt())
                            .as(options)
                            .isEqualTo(expected));
            assertThat(spec("--gpus=8").at("/elasticity/maxNodes").isMissingNode())
                    .isTrue();
            assertThat(spec("--gres=gpu:8").at("/elasticity/maxNodes").asInt()).isEqualTo(1);
        }

        @Test
        void stateHostResourcesInManyWays() {
            assertThat(spec("--gpus=4 --cpus-per-gpu=6 --mem-per-gpu=2048")
                            .path("host")
                            .toString())
                    .isEqualTo("{\"cpusPerSlot\":6.0,\"memoryGiBPerSlot\":2.0}");
            assertThat(spec("--gpus=2 --cpus-per-task=8 --mem-per-cpu=1G")
                            .path("host")
                            .toString())
                    .isEqualTo("{\"cpusPerSlot\":4.0,\"memoryGiBPerSlot\":4.0}");
            assertThat(spec("--gpus=2 --mem=0").has("host")).isFalse();
        }

        @Test
        void thatOnlyChangeTheLooksAreWarnings() {
            assertThat(warnings(GPU + "--output=%j.out --mail-type=END\n--export=ALL --signal=USR1@60"))
                    .containsExactly(
                            "line 3: --output=%j.out: use ./spur logs JOB",
                            "line 3: --mail-type=END: use a webhook",
                            "--export=ALL: Spur passes no variables of this shell; name them in --export, or use --env",
                            "--signal=USR1@60: the signal is SIGTERM; let the script handle it");
        }

        @Test
        void thatChangeWhereTheJobRunsAreErrorsAllAtOnce() {
            assertThatThrownBy(() -> body(GPU + "--constraint=fast\n--licenses=a:1 --time=never --mem=much"))
                    .isInstanceOf(CommandFailure.class)
                    .hasMessageContaining("/shared/train.sh has options that Spur cannot honor")
                    .hasMessageContaining("line 3: --constraint=fast: use --require LABEL=VALUE")
                    .hasMessageContaining("line 4: --licenses=a:1: ")
                    .hasMessageContaining("--time: 'never' is no time")
                    .hasMessageContaining("--mem=much: state a size");
            ObjectNode job = new SbatchJob(script(GPU + "--constraint=fast"), Set.of("constraint"), Map.of())
                    .body(List.of(), false);
            assertThat(job.at("/spec/elasticity/minSlots").asInt()).isEqualTo(1);
        }

        @Test
        void mustStateGpusUnlessTheCallerDoes() {
            assertThatThrownBy(() -> body("--time=1")).hasMessageContaining("it requests no GPU");
            for (String options : List.of("--gres=gpu:a:1,gpu:b:1", "--gres=fpga:1", "--gpus=a:1,b:1", "--gpus=0")) {
                assertThatThrownBy(() -> body(options)).as(options).hasMessageContaining(options);
            }
            assertThatThrownBy(() -> body("--gres=shard:2")).hasMessageContaining("--gpu-share 0.5");
            assertThat(new SbatchJob(script("--time=1"), Set.of(), Map.of())
                            .body(List.of(), true)
                            .at("/spec/elasticity")
                            .isMissingNode())
                    .isTrue();
        }

        @Test
        void becomeDependenciesAndAnArray() {
            SbatchJob job = new SbatchJob(
                    script(GPU + "--array=1-8%2 --dependency=afterok:a:b,after:c,afterany:d"), Set.of(), Map.of());

            assertThat(job.body(List.of(), false).path("dependsOn").toString())
                    .isEqualTo("[{\"job\":\"a\",\"when\":\"SUCCEEDED\"},{\"job\":\"b\",\"when\":\"SUCCEEDED\"},"
                            + "{\"job\":\"c\",\"when\":\"STARTED\"},{\"job\":\"d\",\"when\":\"ENDED\"}]");
            assertThat(job.array()).isEqualTo("1-8%2");
            for (String other : List.of("singleton", "afternotok:a", "afterok:a?afterok:b", "after:a+5", "afterok")) {
                assertThatThrownBy(() -> body(GPU + "--dependency=" + other))
                        .as(other)
                        .hasMessageContaining("such as afterok:JOB");
            }
        }

        @Test
        void areThoseOfSbatchEachOnce() {
            assertThat(SbatchOption.all()).extracting(SbatchOption::name).doesNotHaveDuplicates();
            assertThat(SbatchOption.all().stream()
                            .filter(option -> option.letter() != ' ')
                            .map(SbatchOption::letter))
                    .doesNotHaveDuplicates();
            assertThat(SbatchOption.all())
                    .allMatch(option -> option.advice().isEmpty() == (option.effect() == SbatchOption.Effect.HONOR));
        }
    }

    @Nested
    class Commands {
        @Test
        void containAShortScriptOfAShell() {
            JsonNode command = new SbatchJob(script("--gpus=1"), Set.of(), Map.of())
                    .body(List.of("--lr", "0.1"), false)
                    .path("command");

            assertThat(command.path("program").asString()).isEqualTo("/bin/bash");
            assertThat(command.path("args").valueStream().map(JsonNode::asString))
                    .containsExactly("-c", script("--gpus=1").text(), "/shared/train.sh", "--lr", "0.1");
        }

        @Test
        void nameTheFileOfAnyOther() {
            for (SbatchScript script : List.of(
                    new SbatchScript("train.py", "#!/usr/bin/env python3\n#SBATCH --gpus=1\n"),
                    new SbatchScript("train.py", script("--gpus=1").text() + "#".repeat(8192)))) {
                SbatchJob job = new SbatchJob(script, Set.of(), Map.of());
                List<String> arguments = job.body(List.of(), false)
                        .at("/command/args")
                        .valueStream()
                        .map(JsonNode::asString)
                        .toList();

                assertThat(arguments)
                        .endsWith(Path.of("train.py").toAbsolutePath().toString());
                assertThat(arguments).doesNotContain("-c");
                assertThat(job.warnings()).singleElement().asString().contains("each node reads the script");
            }
        }
    }
}
