package dev.spur.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.database.postgres.TestDatabase;
import dev.spur.service.testing.Client;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import tools.jackson.databind.JsonNode;

/** The views of jobs in the dashboard as a browser shows them, of a running demo. */
@Tag("browser")
class DashboardJobsTest {
    private static TestDatabase database;
    private static SpurProcess spur;
    private static Client client;
    private static Browser browser;

    @BeforeAll
    static void startTheDemo() throws Exception {
        database = TestDatabase.migrated();
        spur = SpurProcess.start(database.environment(), "serve", "--demo", "--port", "0");
        int port =
                Integer.parseInt(spur.awaitLine("Spur is ready").replaceAll(".*http://127\\.0\\.0\\.1:(\\d+).*", "$1"));
        client = new Client(port);
        spur.awaitLine("the demo has registered a cluster");
        browser = Browser.open("http://127.0.0.1:" + port);
    }

    @AfterAll
    static void end() throws Exception {
        if (browser != null) {
            browser.close();
        }
        spur.close();
        database.close();
    }

    /** Submits a job that waits for hardware that never comes, and returns its id. */
    private static String submit(String name) throws Exception {
        return submit("""
                {"name": "%s", "tenant": "vision", "owner": "ann", "labels": {"team": "seven"}, "waitForHardware": true,
                  "deadline": "2126-12-01T12:00:00Z",
                  "command": {"program": "python3", "args": ["train.py", "--rates", "0.1 0.2"], "workdir": "/shared/run"},
                  "spec": {"work": {"amount": 1e6}, "batch": {"initial": 512, "max": 1024}, "priority": -2,
                    "elasticity": {"minSlots": 512, "maxSlots": 1024, "acceleratorTypes": ["A100"]}}}
                """.formatted(name), 201).path("id").asString();
    }

    private static JsonNode submit(String body, int status) throws Exception {
        var answer = client.post("/api/v1/jobs", body);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        return Client.json(answer);
    }

    private static JsonNode job(String id) throws Exception {
        return Client.json(client.get("/api/v1/jobs/" + id));
    }

    private static String running() throws Exception {
        browser.show("jobs");
        browser.await(() -> !runningJobs().isEmpty());
        return runningJobs().get(0).path("id").asString();
    }

    private static List<JsonNode> runningJobs() {
        try {
            return Client.json(client.get("/api/v1/jobs?state=RUNNING&tenant=language"))
                    .path("items")
                    .valueStream()
                    .toList();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** The facts that the page states, by their names. */
    @SuppressWarnings("unchecked")
    private static Map<String, String> facts() {
        return (Map<String, String>) browser.value("""
                Object.fromEntries([...document.querySelectorAll('dl.facts > div')].map((row) =>
                  [row.querySelector('dt').textContent, row.querySelector('dd').textContent]))""");
    }

    @Test
    void thePageOfAJobStatesItsRequest() throws Exception {
        String id = submit("stated");
        browser.size(1400, 1000);
        browser.show("job/" + id);

        assertThat(facts())
                .containsEntry("Tenant", "vision")
                .containsEntry("Owner", "ann")
                .containsEntry("Model family", "stated")
                .containsEntry("Labels", "team=seven")
                .containsEntry("Priority class and weight", "-2, weight 1")
                .containsEntry("Work", "1,000,000 samples")
                .containsEntry("Batch sizes", "512 to 1,024, at first 512")
                .containsEntry("Working directory", "/shared/run")
                .containsEntry("Restarts after failures, at most", "3 (default)");
        assertThat(facts().get("Deadline")).contains("2126");
        assertThat(browser.text("[aria-label='Command']")).isEqualTo("python3 train.py --rates '0.1 0.2'");
        browser.press("#settings summary");
        browser.await(() -> "512".equals(facts().get("Slots, at least")));
        assertThat(facts()).containsEntry("Accelerator types", "A100").containsEntry("Pools", "all (default)");
        assertThat(browser.barriers()).isEmpty();
    }

    @Test
    void anArrayIsOneRowThatLeadsToItsJobs() throws Exception {
        var answer = client.post("/api/v1/arrays", """
                {"indices": "0-3", "limit": 2, "job": {"name": "sweep", "tenant": "vision", "waitForHardware": true,
                  "spec": {"batch": {"initial": 512}, "elasticity": {"minSlots": 512, "maxSlots": 512}}}}
                """);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
        browser.size(1400, 1000);
        browser.show("jobs?tenant=vision");
        browser.await(() -> browser.text("main").contains("sweep [0-3%2]"));

        assertThat(browser.text("main")).doesNotContain("sweep-3");
        browser.press("a[href='#/jobs?array=%s']"
                .formatted(Client.json(answer).path("id").asString()));
        browser.await(() -> browser.text("main").contains("sweep-3"));
        assertThat(browser.barriers()).isEmpty();
    }

    @Test
    void thePageOfAJobLinksWhatItDependsOn() throws Exception {
        String first = submit("first");
        String second = submit("""
                {"name": "second", "tenant": "vision", "waitForHardware": true, "dependsOn": [{"job": "%s"}],
                  "spec": {"batch": {"initial": 512}, "elasticity": {"minSlots": 512, "maxSlots": 512}}}
                """.formatted(first), 201).path("id").asString();
        browser.size(1400, 1000);
        browser.show("job/" + second);
        browser.await(() -> browser.text("main").contains("Starts after"));

        browser.press("main li a[href='#/job/%s']".formatted(first));
        browser.await(() -> browser.text("main").contains("Needed by"));
        assertThat(browser.text("main")).contains("second");
        assertThat(browser.barriers()).isEmpty();
    }

    @Test
    void thePageOfARunningJobNamesItsDevicesAndThePlan() throws Exception {
        String id = running();
        browser.show("job/" + id);

        // a round may move the job while the page is read
        browser.await(() -> {
            JsonNode piece = job(id).at("/allocation/placement/0");
            String first = piece.path("node").asString() + ": "
                    + piece.at("/devices/0").asString();
            return piece.isObject()
                    && facts().getOrDefault("Nodes and devices", "").contains(first);
        });
        assertThat(browser.text(".tiles")).containsOnlyOnce("batch");
        assertThat(browser.one("dl.facts a[href^='#/changes/']").getText()).matches("plan \\d+");
        assertThat(browser.text("[aria-label='Events'] tbody")).containsPattern("Started on \\d+ slots? of ");
    }

    @Test
    void theSpeedOfAJobIsAChartOverTime() throws Exception {
        String id = running();
        database.execute("""
                insert into job_speed (job_id, at, generation, slots, samples_per_second)
                select '%s', now() + make_interval(secs => 30 * n), 1 + n / 3, 2, 100 + n from generate_series(1, 5) n
                """.formatted(id));
        browser.size(1400, 1000);
        browser.show("job/" + id);

        browser.await(
                () -> !browser.all("[aria-label='Speed over time'] canvas").isEmpty());
        browser.press("#data-speed-over-time summary");
        browser.await(() -> browser.text("#data-speed-over-time tbody").matches("(?s).* 101 –.* 105 –.*"));
        assertThat(browser.barriers()).isEmpty();
    }

    /** A job that states only what every job must state has the defaults of the contract. */
    @Test
    void everySettingThatTheRequestOmitsIsMarkedAsADefault() throws Exception {
        String id = submit(
                        "{\"name\": \"short\", \"waitForHardware\": true, \"command\": {\"program\": \"true\"}, \"spec\": {\"batch\": {\"initial\": 512}}}",
                        201)
                .path("id")
                .asString();
        browser.show("jobs");

        assertThat(browser.value("""
                Promise.all([import('/ui/facts.js'), fetch('/api/v1/jobs/%s').then((answer) => answer.json())])
                  .then(([{ COMMAND_SETTINGS, SETTINGS, at, isDefault }, job]) => [...SETTINGS, ...COMMAND_SETTINGS]
                    .filter(([, pointer, standard]) => at(job, pointer) === undefined || (standard !== undefined && !isDefault(at(job, pointer), standard)))
                    .map(([label]) => label))""".formatted(id))).isEqualTo(List.of());
        client.post("/api/v1/jobs/%s/cancel".formatted(id), "");
    }

    @Test
    void membersOfTheSpecificationWithoutAFactAreListed() throws Exception {
        browser.show("jobs");

        assertThat(browser.value("""
                import('/ui/facts.js').then(({ others }) => others({ family: 'a', elasticity: { maxNodes: 2 }, work: { samplesPerEpoch: 7 },
                  efficiency: { table: [1, 2] }, changeCosts: { rescaleSeconds: 3, migrateSeconds: null }, profile: { points: [] } }))"""))
                .isEqualTo(List.of("work.samplesPerEpoch=7", "efficiency.table=(2)", "changeCosts.rescaleSeconds=3"));
    }

    @Test
    void eventsAreInWordsAndDriftsAreFolded() throws Exception {
        browser.show("jobs");

        assertThat(browser.value("""
                import('/ui/events.js').then(({ inWords }) => {
                  const at = (seconds) => new Date(1e12 + 1000 * seconds).toISOString();
                  const drift = { dimension: 'EVERYWHERE', factor: 1.5, message: 'The steps of the job take 1.50 times as long as predicted.' };
                  return inWords([
                    { id: 1, at: at(0), kind: 'RESIZED', detail: { change: 'grow', slots: 2, acceleratorType: 'T4', mechanism: 'RESTART', generation: 2, planRevision: 7 } },
                    { id: 2, at: at(7.7), kind: 'RUNNING', detail: { generation: 2 } },
                    { id: 3, at: at(9), kind: 'DRIFT', detail: drift }, { id: 4, at: at(10), kind: 'DRIFT', detail: drift },
                    { id: 5, at: at(11), kind: 'REQUEUED', detail: { cause: 'FAILED', failures: 1, maxRestarts: 3, exitCode: 1, node: 'n1', pauseSeconds: 10 } },
                    { id: 6, at: at(12), kind: 'RECONFIGURED', detail: { change: 'reconfigure', slots: 2, acceleratorType: 'T4', batchSize: { before: 512, after: 116 } } },
                  ], [{ generation: 1, allocation: { configuration: { slots: 1, acceleratorType: 'T4' } } }]).map(({ text, count }) => `${text} ${count}`);
                })"""))
                .isEqualTo(List.of(
                        "Grew from 1 to 2 slots of T4; the restart took 7.7 s 1",
                        "The steps of the job take 1.50 times as long as predicted 2",
                        "Attempt 1 of 4 failed on n1 with exit code 1; it may start again after 10 s 1",
                        "Reconfigured on 2 slots of T4, batch size 512 → 116 1"));
    }

    @Test
    void aFailureBeginsWithTheLineOfTheErrorAndShowsTheEndOfTheLog() throws Exception {
        String job = submit("crashed");
        database.execute("""
                update job set state = 'FAILED', ended_at = now() where id = '%1$s';
                insert into job_event (job_id, kind, detail) values ('%1$s', 'FAILED', '{"generation": 1, "failures": 4, "maxRestarts": 3}');
                insert into job_log (job_id, seq) values ('%1$s', 1);
                insert into job_log_rank (job_id, generation, rank, node, seq, upload_seq, exit_code, ended_at)
                    values ('%1$s', 1, 2, 'demo-t4-1', 1, 1, 3, now());
                insert into job_log_chunk (job_id, seq, generation, rank, text)
                    select '%1$s', 1, 1, 2, string_agg('step ' || n || chr(10), '' order by n) || 'torch.OutOfMemoryError: CUDA' || chr(10) || 'exiting' || chr(10)
                    from generate_series(1, 60) n
                """.formatted(job));
        browser.size(1400, 1000);
        browser.show("job/" + job);

        browser.await(() -> browser.text(".error").equals("torch.OutOfMemoryError: CUDA"));
        assertThat(browser.text("[aria-label='Events'] tbody")).contains("Failed: attempt 4 of 4 failed");
        browser.await(
                () -> (Boolean)
                        browser.value(
                                "[document.getElementById('last-lines')].map((one) => one.scrollTop > 0 && one.scrollTop + one.clientHeight >= one.scrollHeight - 1)[0]"));
    }

    @Test
    void aJobThatHasEndedIsSubmittedAgain() throws Exception {
        String id = submit("again");
        client.post("/api/v1/jobs/%s/cancel".formatted(id), "");
        browser.size(1400, 1000);
        browser.show("job/" + id);
        browser.press("#do-submit-again");
        browser.press("#dialog-submit");

        browser.await(() -> !browser.text(".id").equals(id));
        JsonNode copy = job(browser.text(".id"));
        for (String member : List.of("name", "tenant", "labels", "spec", "command", "deadline")) {
            assertThat(copy.path(member)).as(member).isEqualTo(job(id).path(member));
        }
        client.post("/api/v1/jobs/%s/cancel".formatted(copy.path("id").asString()), "");
    }

    @Test
    void aCloneHasTheSettingsOfTheJobExceptThoseThatItsDialogChanges() throws Exception {
        String id = submit("original");
        browser.size(1400, 1000);
        browser.show("job/" + id);
        browser.press("#do-clone");
        browser.await(() -> "python3 train.py --rates '0.1 0.2'"
                .equals(browser.value("document.querySelector('#dialog-command')?.value ?? ''")));
        assertThat(browser.barriers()).isEmpty();
        browser.value("document.querySelector('#dialog-name').value = 'copy'");
        browser.value("document.querySelector('#dialog-most').value = ''");
        browser.press("#dialog-submit");

        browser.await(() -> browser.text("h1").equals("copy"));
        JsonNode copy = job(browser.text(".id"));
        assertThat(copy.path("command")).isEqualTo(job(id).path("command"));
        assertThat(copy.path("labels")).isEqualTo(job(id).path("labels"));
        assertThat(copy.at("/spec/elasticity")).isEqualTo(job(id).at("/spec/elasticity"));
        assertThat(copy.at("/spec/family").asString()).isEqualTo("original");
        assertThat(copy.at("/spec/batch/max").asInt()).isEqualTo(512);
        client.post("/api/v1/jobs/%s/cancel".formatted(copy.path("id").asString()), "");
    }

    @Test
    void theDialogPreviewsTheStartAndWritesTheSameJobAsACommand() throws Exception {
        browser.size(1400, 1000);
        browser.show("jobs");
        browser.press("#do-submit-a-job");
        browser.type("#dialog-name", "my job");
        browser.type("#dialog-command", "torchrun train.py --lr '0.1 x'");
        browser.type("#dialog-min", "2");
        browser.type("#dialog-max", "4");
        browser.press("#dialog-types input[value=T4]");

        browser.press("#dialog-preview");
        browser.await(() -> browser.text("#dialog-batch-error").contains("is required"));
        browser.complaints(); // of the response 422
        browser.type("#dialog-batch", "64");
        browser.press("#dialog-preview");
        browser.await(() -> browser.text("dialog [role=status]").startsWith("It would "));
        browser.value("""
                (window.asked = window.fetch, window.fetch = (path, options) => (path.endsWith('/what-if')
                  ? Promise.resolve(new Response(JSON.stringify({ waiting: [], changes: [{ jobId: JSON.parse(options.body).changes[0].job,
                    after: { configuration: { slots: 2, acceleratorType: 'T4', nodes: 1, batchSize: 64 } } }] }), { headers: { 'Content-Type': 'application/json' } }))
                  : window.asked(path, options)), true)""");
        browser.press("#dialog-preview");
        browser.await(() -> browser.text("dialog [role=status]")
                .equals("It would start now on 2 × T4, batch 64. No other job would change."));
        browser.value("(window.fetch = window.asked, true)");
        browser.press("#dialog-as-a-command");
        browser.await(
                () -> browser.text("dialog [aria-label='Command']")
                        .equals(
                                "./spur submit --name 'my job' --gpus 2-4 --type T4 --batch 64 -- torchrun train.py --lr '0.1 x'"));
        browser.press("#dialog-as-yaml");
        browser.await(() -> browser.text("dialog [role=status] pre").contains("launch: \"PER_NODE\""));
        browser.type("#dialog-name", Keys.ESCAPE);
        assertThat(Client.json(client.get("/api/v1/jobs?search=my%20job")).path("items"))
                .isEmpty();
    }

    @Test
    void aCommandIsTheSameAfterItsFieldIsRead() throws Exception {
        browser.show("jobs");

        assertThat(browser.value("""
                Promise.all([import('/ui/submit.js'), import('/ui/facts.js')]).then(([{ commandOf }, { shell }]) => {
                  const parts = ['sh', '-c', "echo 'hi' it's", 'a b', 'a\\\\b', ''];
                  const { program, args } = commandOf(shell(parts));
                  return JSON.stringify([program, ...args]) === JSON.stringify(parts);
                })""")).isEqualTo(true);
    }

    @Test
    void aJobAsYamlIsTheSameJob() throws Exception {
        browser.show("jobs");

        String yaml = browser.value("""
                import('/ui/submit.js').then(({ yaml }) => yaml({ name: 'a: b', owner: null, spec: { batch: { initial: 64 }, labels: {},
                  profile: { points: [{ slots: 1, type: 'T4' }, { slots: 2, type: 'T4' }] } }, command: { args: ['-x', 'y z'] } }))""").toString();

        assertThat(yaml).isEqualTo("""
                name: "a: b"
                spec:
                  batch:
                    initial: 64
                  labels: {}
                  profile:
                    points:
                      - slots: 1
                        type: "T4"
                      - slots: 2
                        type: "T4"
                command:
                  args: ["-x","y z"]""");
    }

    @Test
    void aWarningOfAJobIsABadgeInTheListAndAnAlarm() throws Exception {
        String id = submit("hasty");
        database.execute(
                "update job set state = 'DONE', ended_at = now(), raw_samples = 1000, done_work = 1000 where id = '%s'"
                        .formatted(id));
        browser.size(1400, 1000);
        browser.show("overview");
        browser.await(() -> browser.text(".alarms").contains("1 job with a warning, ended early"));

        browser.press(".alarms a[href*='ended']");

        browser.await(() -> names().equals(List.of("hasty")));
        assertThat(browser.text("tbody .badge.done")).isEqualTo("done");
        assertThat(browser.text("tbody .badge.warned")).contains("ended early");
        assertThat(browser.one("tbody .badge.warned").getAttribute("title")).contains("exit code 0");
        assertThat(browser.barriers()).isEmpty();
    }

    private static List<String> names() {
        return browser.all("main tbody td[data-label=job]").stream()
                .map(WebElement::getText)
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"light", "dark"})
    void theBadgesOfAllStatesAreReadable(String theme) throws Exception {
        browser.size(1400, 1000);
        browser.show("glossary");
        browser.value("""
                import('/ui/badge.js').then(({ status }) => document.querySelector('header').append(...
                  ['SUBMITTED', 'WAITING', 'RUNNING', 'COMPLETING', 'DONE', 'FAILED', 'CANCELLED'].map((state) =>
                    status({ state, held: true, warnings: [{ kind: 'SLOWER', message: 'x' }, { kind: 'SIMULATED', message: 'x' }] })))).then(() => true)""");
        browser.theme(theme);

        assertThat(browser.all(".badge")).hasSize(28);
        assertThat(browser.contrasts()).isEmpty();
        assertThat(
                        (Long)
                                browser.value(
                                        "new Set([...document.querySelectorAll('.badge')].map((one) => getComputedStyle(one).backgroundColor)).size"))
                .isEqualTo(6);
    }

    @Test
    void jobsOfTheSameNameHaveTheirShortIds() throws Exception {
        List<String> ids = List.of(submit("twin"), submit("twin"));
        browser.size(1400, 1000);
        browser.show("jobs?q=twin");

        browser.await(() -> Set.copyOf(names())
                .equals(ids.stream().map(id -> "twin · " + id.substring(0, 8)).collect(Collectors.toSet())));
        client.post("/api/v1/jobs/%s/cancel".formatted(ids.get(0)), "");
        browser.await(() -> names().equals(List.of("twin")));
    }

    @Test
    void theSearchFindsJobsNodesAndTenantsByKeyboard() throws Exception {
        String id = submit("needle");
        browser.size(390, 844);
        browser.show("overview");
        browser.type("body", "/");
        assertThat(browser.value("document.activeElement.id")).isEqualTo("search-field");
        browser.type("#search-field", "NEEDL");
        browser.await(() -> browser.text("#found").contains("needle"));
        assertThat(browser.barriers()).isEmpty();
        browser.type("#search-field", Keys.ENTER);
        browser.await(() -> browser.text(".id").equals(id) && isOpen("needle"));

        find("demo-a100-2", "demo-a100-2", Keys.ENTER);
        browser.await(() -> isOpen("demo-a100-2"));
        find("VISIO", "vision", Keys.ENTER);
        browser.await(() -> isOpen("Jobs"));
        assertThat(browser.value("location.hash")).isEqualTo("#/jobs?tenant=vision");
        find(id.substring(0, 13), "needle", Keys.ARROW_DOWN, Keys.ENTER);
        browser.await(() -> isOpen("needle"));
        browser.type("#search-field", "no such thing");
        browser.await(() -> browser.text("#found").equals("Nothing matches no such thing."));
    }

    /** Returns true if a view has been opened and has the focus. */
    private static boolean isOpen(String heading) {
        return browser.text("h1").equals(heading)
                && browser.value("document.activeElement.id").equals("content");
    }

    private static void find(String text, String found, CharSequence... keys) throws InterruptedException {
        browser.type("#search-field", text);
        browser.await(() -> browser.text("#found").contains(found));
        for (CharSequence key : keys) {
            browser.type("#search-field", key);
        }
    }

    @Test
    void theAddressOfAnObjectUnderItsListLeadsToIt() throws Exception {
        String id = submit("nearby");
        browser.show("jobs/" + id);
        browser.await(() -> browser.text("h1").equals("nearby"));
        assertThat(browser.value("location.hash")).isEqualTo("#/job/" + id);

        browser.show("nodes/demo-t4-1");
        browser.await(() -> browser.text("h1").equals("demo-t4-1"));
    }

    @Test
    void aJobIsACardOfFourLinesOnAPhoneAndTheMenuFitsItsScreen() throws Exception {
        submit("card");
        browser.size(390, 844);
        browser.show("jobs");
        browser.await(() -> !browser.all(".cards tbody tr").isEmpty());

        assertThat((Long) browser.value("""
                Math.max(...[...document.querySelectorAll('.cards tbody tr')].map((card) =>
                  [...card.children].map((cell) => cell.getBoundingClientRect()).filter((box) => box.height)
                    .map((box) => box.top + box.height / 2).sort((a, b) => a - b)
                    .reduce((lines, middle) => (middle - lines.at(-1) > 10 ? [...lines, middle] : lines), [-100]).length - 1))""")).isBetween(1L, 4L);
        browser.press("#menu");
        assertThat(
                        (Boolean)
                                browser.value(
                                        "[...document.querySelectorAll('#views a')].filter((link) => link.offsetParent).every((link) => link.getBoundingClientRect().bottom <= 844)"))
                .isTrue();
        assertThat(browser.one("a[href='#/audit']").isDisplayed()).isTrue();
        assertThat(browser.barriers()).isEmpty();
    }

    @Test
    void theAuditLogNamesTheJobAndTheVerb() throws Exception {
        String id = submit("audited");
        client.post("/api/v1/jobs/%s/hold".formatted(id), "");
        client.put("/api/v1/groups/sweep", "{\"maxJobs\": 3}");
        browser.size(1400, 1000);
        browser.show("audit?q=audited");
        browser.await(() -> browser.all("tbody tr").size() == 2);

        assertThat(browser.text("tbody tr:nth-child(1)")).contains("held", "job audited", "held: false → true");
        assertThat(browser.text("tbody tr:nth-child(2)"))
                .containsPattern("submitted\\s+job audited\\s+tenant: \"vision\"\\s+owner: \"ann\"")
                .contains("this machine, without a token");
        browser.show("audit?q=sweep");
        browser.await(() -> browser.text("tbody").contains("created"));
    }

    @Test
    void aWhatIfWithoutEffectStatesWhoStillWaitsAndWhy() throws Exception {
        String id = submit("still waiting");
        browser.size(1400, 1000);
        browser.show("whatif");
        browser.type("#kind", "a different weight of a job");
        browser.await(() -> !browser.all("select[name=job]").isEmpty());
        browser.value("document.querySelector('select[name=job]').value = '%s'".formatted(id));

        browser.press("#question-submit");

        browser.await(() -> browser.text("#unchanged").matches("No job changes\\. .* still waits: .*"));
        assertThat(browser.text()).contains("Slots of changed jobs");
    }

    @Test
    void oneMoreJobShowsItsSlotsAndItsEnd() throws Exception {
        browser.size(1400, 1000);
        browser.show("whatif");
        browser.await(() -> !browser.all("#question-batch").isEmpty());
        browser.type("#question-batch", "64");
        browser.type("#question-max", "1");
        browser.press("#question-submit");

        browser.await(() -> browser.text().contains("Changed jobs"));
        assertThat(browser.text()).contains("the new job");
    }

    @Test
    void aRecommendationStatesSlotHoursAndTheEnd() throws Exception {
        String id = running();
        browser.size(1400, 1000);
        browser.show("recommendations");
        browser.value("document.querySelector('[name=like]').value = '%s'".formatted(id));
        browser.press("#recommendation-submit");

        browser.await(() -> browser.text().contains("Slot-hours"));
        assertThat(browser.text()).contains("if it starts now", "in the unit of the configured prices");
    }

    @Test
    void durationsAndAmountsHaveNoUselessDigits() throws Exception {
        browser.show("jobs");

        assertThat(browser.value("""
                import('/ui/format.js').then(({ duration, rounded }) =>
                  [duration(0.012), duration(0), duration(7.72), rounded(0.001364), rounded(12.3456), rounded(0)])""")).isEqualTo(List.of("12 ms", "0.0 s", "7.7 s", "< 0.01", "12.35", "0"));
    }
}
