package dev.spur.service.connectors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.connectors.testing.FakeMaster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A master of Determined, with the rules of a real one, under a real service. */
class DeterminedServiceTest extends PlatformServiceTest {
    private final FakeMaster master = FakeMaster.start();

    @Override
    PlatformConnection connection() {
        master.agent("gpu1", "gpu", 8, false);
        master.agent("gpu2", "gpu", 8, false);
        return settings(master, 30, DeterminedProperties.Aggregators.NONE)
                .connections()
                .get(0);
    }

    /** How a service is told of {@code master}, which may take so many seconds for a call. */
    static DeterminedProperties settings(
            FakeMaster master, int callSeconds, DeterminedProperties.Aggregators aggregators) {
        return new DeterminedProperties(
                master.url().toString(),
                "determined",
                "spur",
                master.passwordFile().toString(),
                "",
                List.of("gpu"),
                "root",
                Duration.ofSeconds(callSeconds),
                Duration.ofSeconds(30),
                Duration.ofSeconds(2),
                Duration.ofHours(24),
                aggregators);
    }

    @Override
    void pass() {
        master.tick();
    }

    @BeforeEach
    void awaitItsNodes() throws Exception {
        eventually(() -> count("connector_node") == 2);
    }

    @AfterEach
    void end() {
        master.close();
    }

    private String submit(int slots, String... words) {
        return master.submit("gpu", slots, 42, false, List.of(words));
    }

    @Test
    void itsAgentsBecomeNodesAndItsExperimentsJobs() throws Exception {
        String offered = submit(2, "spur");
        String search = submit(2, "spur");
        master.searcher(search, "adaptive_asha");
        submit(2, "resnet");
        eventually(() -> jobs().size() == 1 && !connector().path("rejected").isEmpty());

        JsonNode node = api.get("/api/v1/nodes/gpu1").is(200).json();
        assertThat(node.path("pool").asString()).isEqualTo("gpu");
        assertThat(node.path("acceleratorType").asString()).isEqualTo("h200");
        assertThat(node.path("devices").size()).isEqualTo(8);
        assertThat(connector().path("kind").asString()).isEqualTo("DETERMINED");
        assertThat(jobs().get(0).path("externalId").asString()).isEqualTo("determined/" + offered);
        assertThat(connector().at("/rejected/0/job").asString()).isEqualTo(search);

        master.tell(search, "cancel");
        eventually(() -> connector().path("rejected").isEmpty());
    }

    private String running(int slots) throws Exception {
        String job = submit(slots, "spur");
        eventually(() -> jobs().size() == 1);
        rounds.run();
        eventually(() -> master.held(job) == slots && inSync());
        return job;
    }

    private boolean inSync() {
        JsonNode now = connector();
        return now.at("/syncReport/inSync").asBoolean()
                && now.at("/actions/open").isEmpty();
    }

    private void looks(int times) throws Exception {
        for (int look = 0; look < times; look++) {
            String looked = connector().path("lastSyncAt").asString();
            eventually(() -> !connector().path("lastSyncAt").asString().equals(looked));
        }
    }

    private JsonNode node(String name) {
        return api.get("/api/v1/nodes/" + name).is(200).json();
    }

    @Test
    void aShortAbsenceOfItsAgentsStopsNothing() throws Exception {
        controlLevel("RESIZE");
        String job = running(8);

        master.disconnect("gpu1", 1_000_000);
        master.disconnect("gpu2", 1_000_000);
        eventually(() -> node("gpu1").path("state").asString().equals("CORDONED")
                && node("gpu2").path("state").asString().equals("CORDONED"));
        assertThat(node("gpu1").path("devices").size()).isEqualTo(8);
        rounds.run();
        looks(2);

        assertThat(inSync()).isTrue();
        assertThat(master.held(job)).isEqualTo(8);
        assertThat(master.starts(job)).isEqualTo(1);
        master.disconnect("gpu1", 1);
        eventually(() -> node("gpu1").path("state").asString().equals("ACTIVE"));
    }

    @Test
    void anExperimentThatLosesItsLabelIsWithdrawnAndItsSlotsAreGivenAway() throws Exception {
        controlLevel("ADMIT");
        String job = running(8);

        master.labels(job, List.of("mine"));
        eventually(() -> state(job).equals("CANCELLED"));
        eventually(() -> connector().at("/syncReport/unmanagedUsage").size() == 1);
        assertThat(master.held(job)).isEqualTo(8);

        master.tell(job, "pause");
        eventually(() -> connector().at("/syncReport/unmanagedUsage").isEmpty());
        String first = submit(8, "spur");
        String second = submit(8, "spur");
        eventually(() -> jobs().size() == 3);
        rounds.run();
        eventually(() -> master.held(first) == 8 && master.held(second) == 8);
    }

    @Test
    void anExperimentThatItsOwnerPausesAndActivatesAgainIsNotStoppedBeforeTheNextRound() throws Exception {
        controlLevel("ADMIT");
        String job = running(4);
        master.tell(job, "pause");
        eventually(() -> jobs().get(0).path("held").asBoolean());
        rounds.run();
        looks(1);
        long before = count("connector_action");

        master.tell(job, "activate");
        eventually(() -> !jobs().get(0).path("held").asBoolean());
        looks(2);

        assertThat(count("connector_action")).isEqualTo(before);
        rounds.run();
        eventually(this::inSync);
        looks(1);
        assertThat(state(job)).isEqualTo("RUNNING");
        assertThat(master.held(job)).isEqualTo(4);
        assertThat(master.starts(job)).isEqualTo(2);
    }

    @Test
    void theEtagOfAConnectorCoversItsTroubleAndIfMatchItsModeAlone() throws Exception {
        looks(1);
        String path = "/api/v1/connectors/determined";
        String tag = api.get(path).is(200).etag();

        master.down(true);
        eventually(() -> !connector().path("lastSyncError").asString("").isEmpty());

        JsonNode now = api.get(path, "If-None-Match", tag).is(200).json();
        assertThat(now.path("lastSyncError").asString()).contains("502");
        api.patch(path, "{\"controlLevel\": \"PRIORITIZE\"}", "If-Match", tag).is(200);
        api.patch(path, "{\"controlLevel\": \"ADMIT\"}", "If-Match", tag).is(412);
    }

    @Test
    void aPlanRunsThereAroundWhatRunsThereAlready() throws Exception {
        controlLevel("ADMIT");
        master.task("gpu", 6);
        eventually(() -> connector().at("/syncReport/unmanagedUsage").size() == 1);
        String large = submit(8, "spur");
        String small = submit(2, "spur");
        eventually(() -> jobs().size() == 2);

        rounds.run();

        eventually(() -> master.held(large) == 8 && master.held(small) == 2);
        eventually(() -> connector().at("/syncReport/inSync").asBoolean()
                && connector().at("/actions/open").isEmpty());
        assertThat(state(large)).isEqualTo("RUNNING");

        master.complete(large, true);
        eventually(() -> state(large).equals("DONE"));
        master.tell(small, "cancel");
        eventually(() -> state(small).equals("CANCELLED"));
    }

    private String withFasterLargeBatches(String... more) {
        List<String> words = new ArrayList<>(List.of(
                "spur",
                "spur/batch=256-1024",
                "spur/samples=100000000",
                "spur/noise=1000000",
                "spur/speeds=4:256:0:900+4:1024:0:3000"));
        words.addAll(List.of(more));
        return submit(4, words.toArray(String[]::new));
    }

    private int batch(String job) {
        return master.hyperparameter(job, "global_batch_size");
    }

    @Test
    void anExperimentThatReadsItsBatchStartsWithThePlannedOne() throws Exception {
        controlLevel("RESIZE");
        String job = withFasterLargeBatches("spur/elastic-batch");
        eventually(() -> jobs().size() == 1);

        rounds.run();

        eventually(() -> master.held(job) == 4 && inSync());
        assertThat(batch(job)).isEqualTo(1024);
        assertThat(jobs().at("/0/allocation/configuration/batchSize").asInt()).isEqualTo(1024);
        assertThat(connector().at("/syncReport/notes").isEmpty()).isTrue();
    }

    @Test
    void aLevelThatDoesNotChangeTheBatchPlansTheFirstOneAndSaysSo() throws Exception {
        controlLevel("ADMIT");
        String job = withFasterLargeBatches("spur/elastic-batch");
        eventually(() -> jobs().size() == 1);

        rounds.run();

        eventually(() -> master.held(job) == 4 && inSync());
        assertThat(batch(job)).isEqualTo(256);
        assertThat(jobs().at("/0/allocation/configuration/batchSize").asInt()).isEqualTo(256);
        assertThat(connector().at("/syncReport/notes/0").asString())
                .contains("batch size of %s stays the first one".formatted(job), "ADMIT, and only RESIZE");
    }

    @Test
    void anExperimentThatIsNotKnownToReadItsBatchIsPlannedWithItsOwn() throws Exception {
        controlLevel("RESIZE");
        String job = withFasterLargeBatches();
        eventually(() -> jobs().size() == 1);

        rounds.run();

        eventually(() -> master.held(job) == 4 && inSync());
        assertThat(batch(job)).isEqualTo(256);
        assertThat(jobs().at("/0/allocation/configuration/batchSize").asInt()).isEqualTo(256);
        assertThat(connector().at("/syncReport/notes/0").asString()).contains("add the option elastic-batch");
    }

    @Test
    void aJobIsFollowedAcrossCancelAndContinue() throws Exception {
        controlLevel("RESIZE");
        String job = submit(
                2, "spur", "spur/family=resnet50", "spur/gpus=4-8", "spur/batch=256-4096", "spur/samples=100000000");
        eventually(() -> jobs().size() == 1);
        rounds.run();

        eventually(() -> master.held(job) >= 4);
        eventually(() -> connector().at("/syncReport/inSync").asBoolean()
                && connector().at("/actions/open").isEmpty());

        assertThat(jobs().size()).isEqualTo(1);
        assertThat(state(job)).isEqualTo("RUNNING");
        assertThat(master.config(job).at("/data/spur_continued").asInt()).isEqualTo(1);
        String id = jobs().get(0).path("id").asString();
        api.post("/api/v1/jobs/%s/cancel".formatted(id)).is(200);
        eventually(() -> master.state(job).equals("STATE_CANCELED"));
    }

    @Test
    void anExperimentThatItsOwnerActivatesIsFixedLoadUntilItIsPausedAgain() throws Exception {
        controlLevel("ADMIT");
        String job = submit(4, "spur");
        eventually(() -> master.notes(job).contains("hold")
                && connector().at("/actions/open").isEmpty());

        master.tell(job, "activate");
        eventually(() -> connector().at("/syncReport/manuallyOverridden").has(job));
        eventually(() -> connector().at("/syncReport/unmanagedUsage").size() == 1);

        master.tell(job, "pause");
        eventually(() -> !jobs().get(0).path("held").asBoolean()
                && connector().at("/syncReport/manuallyOverridden").isEmpty());
    }

    @Test
    void anotherProcessGoesOnWhereThisOneStopped() throws Exception {
        controlLevel("ADMIT");
        String job = submit(8, "spur");
        eventually(() -> jobs().size() == 1);
        rounds.run();
        eventually(() -> master.held(job) == 8);
        String id = jobs().get(0).path("id").asString();

        api.post("/api/v1/jobs/%s/hold".formatted(id)).is(200);
        stop();
        master.restart();
        start();

        eventually(() -> master.state(job).equals("STATE_PAUSED") && master.held(job) == 0);
        assertThat(master.starts(job)).isEqualTo(1);
    }

    private double samplesDone() {
        return api.get("/api/v1/jobs/" + jobs().get(0).path("id").asString())
                .is(200)
                .json()
                .path("doneSamples")
                .asDouble(-1);
    }

    @Test
    void theProgressOfTheMasterCountsUntilTheJobReports() throws Exception {
        controlLevel("ADMIT");
        String job =
                submit(4, "spur", "spur/family=resnet50", "spur/gpus=4", "spur/batch=256", "spur/samples=100000000");
        eventually(() -> jobs().size() == 1);
        rounds.run();
        eventually(() -> state(job).equals("RUNNING") && master.held(job) == 4);

        master.progress(job, 0.25);
        eventually(() -> samplesDone() == 25e6);
        master.progress(job, 1);
        eventually(() -> samplesDone() == 99.9e6);
        assertThat(state(job)).isEqualTo("RUNNING");
        master.progress(job, 0.5);
        eventually(() -> samplesDone() == 50e6);

        String id = jobs().get(0).path("id").asString();
        long generation = world.value(Long.class, "select generation from job where id = ?", id);
        api.post("/api/v1/jobs/%s/progress".formatted(id), """
                        {"generation": %d, "seq": 100, "samplesTotal": 51000000, "state": "RUNNING"}""".formatted(generation))
                .is(200);
        master.progress(job, 0.6);
        String looked = connector().path("lastSyncAt").asString();
        eventually(() -> !connector().path("lastSyncAt").asString().equals(looked));
        eventually(() -> !connector().path("lastSyncAt").asString().equals(looked));
        assertThat(samplesDone()).isEqualTo(51e6);
    }
}
