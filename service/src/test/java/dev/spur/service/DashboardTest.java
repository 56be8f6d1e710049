package dev.spur.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.database.postgres.TestDatabase;
import dev.spur.service.testing.Client;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.Keys;
import org.openqa.selenium.NoSuchElementException;
import org.openqa.selenium.WebElement;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The dashboard as a browser shows it, of a running demo and a job that can never have what it wants now. */
@Tag("browser")
class DashboardTest {
    private static final String HOSTILE = "<img src=x onerror=\"document.title='taken'\">";
    private static TestDatabase database;
    private static SpurProcess spur;
    private static Client client;
    private static Browser browser;
    private static String waiting;

    @BeforeAll
    static void startTheDemo() throws Exception {
        database = TestDatabase.migrated();
        spur = SpurProcess.start(database.environment(), "serve", "--demo", "--port", "0");
        int port =
                Integer.parseInt(spur.awaitLine("Spur is ready").replaceAll(".*http://127\\.0\\.0\\.1:(\\d+).*", "$1"));
        client = new Client(port);
        spur.awaitLine("the demo has registered a cluster");
        browser = Browser.open("http://127.0.0.1:" + port);
        browser.show("overview");
        browser.await(
                () -> browser.text().contains("slots") || !browser.all(".bar").isEmpty());
        waiting = submitOneThatWaits();
        prepareData();
        connectAPlatform();
        keepNodes();
        browser.show("jobs");
        browser.await(() -> browser.text().contains("onerror"));
    }

    /** It wants the hardware that there may be one day. */
    private static String submitOneThatWaits() throws Exception {
        var answer = client.post("/api/v1/jobs", """
                {"name": %s, "tenant": "vision", "owner": "ann", "waitForHardware": true, "spec": {
                  "work": {"unit": "SAMPLES", "amount": 1e9}, "elasticity": {"minSlots": 512, "maxSlots": 512},
                  "batch": {"initial": 512, "min": 512, "max": 512, "maxPerDevice": 64},
                  "profile": {"points": [{"acceleratorType": "A100", "slots": 512, "nodes": 64, "batchSize": 512,
                    "samplesPerSecond": 9000}]}}}
                """.formatted("\"" + HOSTILE.replace("\"", "\\\"") + "\""));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
        return Client.json(answer).path("id").asString();
    }

    /** Two sets of data, of which one needs the memory of several nodes and one more than there is. */
    private static void prepareData() throws Exception {
        for (int gib : new int[] {300, 100_000}) {
            var answer = client.post("/api/v1/jobs", """
                    {"kind": "DATA_PREPARATION", "name": "shuffle %1$d", "tenant": "vision", "owner": "ann", "waitForHardware": true, "spec": {"cpus": 4,
                      "workingSetGiB": %1$d, "seconds": 7200, "minLocalFraction": 0.3, "slowDown": {"points": [
                        {"localFraction": 0.3, "factor": 1.5}, {"localFraction": 1, "factor": 1}]}}}
                    """.formatted(gib));
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
        }
    }

    /** Nodes that will be kept for the job. */
    private static void keepNodes() throws Exception {
        var answer = client.put("/api/v1/reservations/launch", """
                {"job": "%s", "slots": {"pool": "demo", "acceleratorType": "A100", "count": 8}, "start": "2126-11-28T14:00:00Z"}
                """.formatted(waiting));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    }

    /** A connector whose circuit breaker is open, as one leaves it behind. */
    private static void connectAPlatform() {
        database.execute("""
                insert into connector (name, kind, control_level, failures, circuit_open_reason, last_sync_at, sync_report) values ('hpc', 'SLURM', 'OBSERVE', 3,
                    'job 17 was not held although it was asked for', now(), '{"inSync": false, "pendingChanges": 4, "blocked": 1, "nodes": 12,
                    "jobs": 31, "manuallyOverridden": {"<b>18</b>": "released by hand"}, "unmanagedUsage": {"c1": 4}, "notes": []}');
                insert into connector_action (connector, id, revision, job, kind, placement, priority, state, step, failures, detail)
                values ('hpc', '7/17/HOLD', 7, '17', 'HOLD', '{}', 0, 'FAILED', 'HOLDING', 3, 'it runs on')
                """);
    }

    @AfterAll
    static void end() throws Exception {
        if (browser != null) {
            browser.close();
        }
        spur.close();
        database.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "overview",
                "outcomes",
                "jobs",
                "queue",
                "timeline",
                "changes",
                "nodes",
                "maintenance",
                "reservations",
                "aggregators",
                "preparations",
                "rounds",
                "whatif",
                "approvals",
                "recommendations",
                "tenants",
                "connectors",
                "webhooks",
                "tokens",
                "settings",
                "audit",
                "glossary",
                "job",
                "node"
            })
    void everyViewIsAccessibleInBothThemesAndOnAPhone(String name) throws Exception {
        String view = name + Map.of("job", "/" + waiting, "node", "/demo-t4-1").getOrDefault(name, "");
        browser.size(1400, 1000);
        browser.show(view);

        assertThat(browser.complaints()).isEmpty();
        browser.theme("light");
        assertThat(browser.barriers()).as("barriers").isEmpty();
        browser.theme("dark");
        assertThat(browser.contrasts()).as("what another theme may change").isEmpty();
        browser.size(390, 844);
        assertThat(browser.value("document.documentElement.scrollWidth"))
                .as("width needed on a telephone")
                .isEqualTo(390L);
        assertThat((List<?>) browser.value(
                        "performance.getEntriesByType('resource').map((entry) => new URL(entry.name).origin)"
                                + ".filter((origin) => origin !== location.origin)"))
                .as("asked elsewhere")
                .isEmpty();
    }

    @Test
    void theQueueSaysWhyAJobWaitsInTheWordsOfTheService() throws Exception {
        browser.size(1400, 1000);
        browser.show("queue");
        JsonNode entry = Client.json(client.get("/api/v1/queue"))
                .path("items")
                .valueStream()
                .filter(item -> item.path("jobId").asString().equals(waiting))
                .findFirst()
                .orElseThrow();

        browser.await(() -> browser.text().contains(entry.path("message").asString()));
    }

    @Test
    void aNameIsNeverTakenForMarkup() throws Exception {
        browser.show("job/" + waiting);

        assertThat(browser.text("h1")).isEqualTo(HOSTILE);
        assertThat(browser.all("main img")).isEmpty();
        assertThat(browser.value("document.title")).isNotEqualTo("taken");
    }

    @Test
    void theHistoryOfAJobQuotesValues() throws Exception {
        database.execute(
                "insert into job_event (job_id, kind, detail) values ('%s', 'CHANGED', '{\"detail\": \"x, by: alice\"}')"
                        .formatted(waiting));

        browser.show("job/" + waiting);

        browser.await(() -> browser.text().contains("detail: \"x, by: alice\""));
    }

    @Test
    void theAuditTrailQuotesValuesAndEscapesWhatReversesText() throws Exception {
        database.execute("""
                insert into audit_entry (principal, credential, address, request_id, operation, kind, object, change) values
                    ('forger', 'token', '127.0.0.1', 'r', 'submitJob', 'job', 'j', jsonb_build_object(
                        '/name', jsonb_build_array(null, 'x, owner: alice'), '/tenant', jsonb_build_array('a', chr(8238) || 'ecila'),
                        '/priority', jsonb_build_array(1, null)))
                """);

        browser.show("audit?q=forger");
        browser.await(() -> browser.all("tbody tr").size() == 1);

        String row = browser.text("tbody tr");
        assertThat(row)
                .contains("name: \"x, owner: alice\"")
                .contains("tenant: \"a\" → \"\\u202eecila\"")
                .contains("priority: 1 → nothing");
    }

    @Test
    void theClusterHasASquareForEachDeviceInTheColorOfItsJob() throws Exception {
        browser.size(1400, 1000);
        browser.show("nodes");

        assertThat(browser.all(".cell")).hasSize(64);
        browser.await(() -> browser.all(".cell.held").size() == held());
        assertThat(browser.one(".cell.held").getAttribute("href")).contains("#/job/");
    }

    private static int held() {
        return planned()
                .path("running")
                .valueStream()
                .mapToInt(entry -> entry.at("/allocation/configuration/slots").asInt())
                .sum();
    }

    @Test
    void aChangeShowsByItself() throws Exception {
        browser.size(1400, 1000);
        browser.show("tenants");
        assertThat(browser.text()).doesNotContain("newcomers");

        client.put("/api/v1/tenants/newcomers", "{\"parent\": \"root\"}");

        browser.await(() -> browser.text().contains("newcomers"));
    }

    /** Of more jobs than anybody lists. */
    @Test
    void changesNameTheirJobsHoweverManyAreNewer() throws Exception {
        JsonNode start = aStart();
        String name = Client.json(
                        client.get("/api/v1/jobs/" + start.path("jobId").asString()))
                .path("name")
                .asString();
        database.execute("""
                insert into job (id, tenant, owner, name, labels, spec, deadline_status, wait_for_hardware, state, total_work, ended_at)
                select 'newer-' || n, 'root', 'ann', 'newer', '{}', (select spec from job limit 1), 'NONE', false, 'CANCELLED', 1, now()
                from generate_series(1, 2100) n
                """);
        browser.size(1400, 1000);
        browser.show("changes/" + start.path("revision").asLong());

        browser.await(() -> browser.text().contains(name));
        database.execute("delete from job where name = 'newer'");
    }

    @Test
    void changesAreOneListWithTheirReasonsTotalsAndPlans() throws Exception {
        browser.size(1400, 1000);
        browser.show("changes");
        JsonNode start = aStart();
        String job = start.path("jobId").asString();

        browser.await(() ->
                browser.all("[aria-label='Changes of allocations'] tbody tr").size() > 10);

        assertThat(browser.text("[aria-label='Changes of allocations'] thead"))
                .contains("time", "job", "from", "to", "why", "stall", "plan");
        assertThat(browser.text(".tiles")).contains("Restarts", "Stalled slot-minutes");
        browser.show("changes?job=" + job);
        browser.await(() -> browser.all("[aria-label='Changes of allocations'] tbody a[href^='#/job/']").stream()
                .map(link -> link.getAttribute("href").replaceFirst(".*/", ""))
                .distinct()
                .toList()
                .equals(List.of(job)));
        browser.press("[aria-label='Changes of allocations'] tbody a[href^='#/changes/']");
        browser.await(() -> browser.text("h1").startsWith("Plan no. "));
    }

    /** The views are drawn from the same nodes and plan: 2 of 4 slots are held, one node drains and one is lost. */
    @Test
    void theViewsAgreeOnTheFiguresOfSlots() throws Exception {
        browser.size(1400, 1000);
        browser.show("webhooks");

        assertThat(browser.value("""
                Promise.all(['overview', 'nodes', 'node'].map((name) => import(`/ui/views/${name}.js`))).then(([overview, nodes, node]) => {
                  const one = (id, state, devices) => ({ id, state, devices, acceleratorType: 'T9', pool: 'p', rack: null, cpus: 1, memoryGiB: 1, aggregationSlots: 0 });
                  const all = [one('a', 'ACTIVE', ['0', '1', '2', '3']), one('d', 'DRAINING', ['0', '1']), one('l', 'LOST', ['0'])];
                  const entry = (jobId, node, devices) => ({ jobId, allocation: { aggregation: [], placement: [{ node, devices }],
                    configuration: { acceleratorType: 'T9', slots: devices.length, nodes: 1, aggregationSlots: 0 } } });
                  const plan = { revision: 1, round: 1, publishedAt: new Date().toISOString(), quality: null, waiting: [], aggregators: [],
                    running: [entry('x', 'a', ['0', '1']), entry('y', 'd', ['0'])] };
                  const draw = (view, data) => {
                    const place = document.createElement('div');
                    place.append(...view.render(data, {}).flat().filter(Boolean));
                    return place;
                  };
                  const cells = (row) => [...row.cells].map((cell) => cell.textContent);
                  const start = draw(overview, { plan, nodes: all, last: [], settings: { roundSeconds: 10 }, failed: [], done: [],
                    executors: [], proposals: [], tenants: [], dead: [] });
                  const map = draw(nodes, { plan, nodes: all });
                  const drained = draw(node, { node: nodes.combined(plan, [all[1]], [], [], [])[0] });
                  return [
                    start.querySelector('.tile .detail').textContent,
                    cells(start.querySelector('[aria-label="Slots by accelerator type"] tbody tr')).filter(Boolean).join(' '),
                    map.textContent.includes('T9: 2 free, at most 2 on one node'),
                    [...map.querySelectorAll('[aria-label="Nodes"] tbody tr')].map((row) => cells(row).slice(5, 7).join(' of ')).join(', '),
                    drained.textContent.includes('0 free'),
                  ];
                })""")).isEqualTo(List.of("3 of 6", "T9 3 2 1 6", true, "4 of 2, 2 of 0, 1 of 0", true));
    }

    @Test
    void aSharedDeviceIsOneSlotWithSeveralJobs() throws Exception {
        browser.show("webhooks");

        assertThat(browser.value("""
                Promise.all(['nodes', 'node'].map((name) => import(`/ui/views/${name}.js`))).then(([nodes, node]) => {
                  const one = { id: 'a', state: 'ACTIVE', devices: ['0', '1'], acceleratorType: 'T9', pool: 'p', rack: null, cpus: 1, memoryGiB: 1,
                    aggregationSlots: 0, sharesDevices: true };
                  const entry = (jobId) => ({ jobId, allocation: { since: new Date().toISOString(), aggregation: [],
                    placement: [{ node: 'a', devices: ['0'] }],
                    configuration: { acceleratorType: 'T9', slots: 1, nodes: 1, aggregationSlots: 0, batchSize: 1 } } });
                  const jobs = [{ id: 'x', name: 'left', tenant: 't', deviceShare: 0.25 }, { id: 'y', name: 'right', tenant: 't', deviceShare: 0.75 }];
                  const [combined] = nodes.combined({ running: [entry('x'), entry('y')], aggregators: [] }, [one], jobs, [], []);
                  const place = document.createElement('div');
                  place.append(...node.render({ node: combined }, {}).flat().filter(Boolean));
                  const cell = nodes.card(combined).querySelector('a.cell');
                  return [combined.slots.held, combined.slots.free, cell.title, cell.getAttribute('href'),
                    [...place.querySelectorAll('[aria-label="Devices"] tbody tr')].map((row) => [...row.cells].slice(0, 3).map((cell) => cell.textContent).join(' ')).join('; ')];
                })"""))
                .isEqualTo(List.of(
                        1L,
                        1L,
                        "0: left, 0.25 of 1 × T9, batch 1; right, 0.75 of 1 × T9, batch 1",
                        "#/node/a",
                        "0 left 0.25 of 1 × T9, batch 1; 0 right 0.75 of 1 × T9, batch 1; 1 free "));
    }

    @Test
    void theOverviewReadsTheChangesOnlyAfterANewPlanOrRound() throws Exception {
        browser.show("webhooks");

        assertThat(browser.value("""
                import('/ui/views/overview.js').then(async (overview) => {
                  const own = window.fetch;
                  let reads = 0;
                  let revision = 1e9;
                  let round = 1e9;
                  const respond = (body) => new Response(JSON.stringify(body), { headers: { 'Content-Type': 'application/json' } });
                  window.fetch = async (path, options) => {
                    reads += path.includes('/changes') ? 1 : 0;
                    return path.includes('/plans/current') ? respond({ revision, running: [], waiting: [], aggregators: [] })
                      : path.includes('/rounds') ? respond({ next: null, items: [{ number: round, finishedAt: '2026-01-10T06:00:00Z' }] }) : own(path, options);
                  };
                  const seen = [];
                  const load = async () => {
                    await overview.load({ later: (state, works) => Promise.all(Object.values(works)) });
                    seen.push(reads);
                  };
                  await load();
                  await load();
                  revision += 1;
                  await load();
                  round += 1;
                  await load();
                  window.fetch = own;
                  return seen.join(' ');
                })""")).isEqualTo("1 1 2 3");
    }

    @Test
    void chartsBeginWithTheServiceEndNowAndCountInWholeNumbers() throws Exception {
        browser.show("outcomes");
        JsonNode history = Client.json(client.get("/api/v1/outcomes/history"));

        assertThat(history.path("stepSeconds").intValue()).isEqualTo(10);
        assertThat(browser.value("""
                import('/ui/history.js').then(({ over }) => over({ times: ['2026-01-10T06:00:00Z', '2026-01-10T06:00:10Z', '2026-01-10T06:00:20Z'],
                    until: '2026-01-10T06:00:27Z' }, [null, 2, 4]).map(([at, value]) => `${new Date(at).toISOString()} ${value}`))"""))
                .isEqualTo(List.of(
                        "2026-01-10T06:00:10.000Z 2", "2026-01-10T06:00:20.000Z 4", "2026-01-10T06:00:27.000Z 4"));
    }

    @Test
    void numbersHaveTwoDigitsAfterThePoint() throws Exception {
        browser.show("rounds");

        assertThat(browser.value("""
                import('/ui/format.js').then(({ number }) => [1234.567, 5.946, 0.5, 12, 0.02675, 0.0000005, 0, null].map(number))""")).isEqualTo(List.of("1,234.57", "5.95", "0.5", "12", "0.027", "0", "0", "–"));
    }

    @Test
    void theStateOfACanceledJobHasTheSpellingOfItsTab() throws Exception {
        browser.show("jobs");

        assertThat(browser.value("import('/ui/badge.js').then(({ statusText }) => statusText({ state: 'CANCELLED' }))"))
                .isEqualTo("canceled");
        assertThat(browser.text("main .tabs")).contains("Canceled");
    }

    @Test
    void resourcesAreNamedInWords() throws Exception {
        browser.show("rounds");

        assertThat(browser.value("""
                import('/ui/views/rounds.js').then(({ inWords }) => ['slots:demo/A100', 'quota:tenants below root/T4', 'aggregation:demo',
                  'group-jobs:search', 'restarts'].map(inWords))"""))
                .isEqualTo(List.of(
                        "slots of A100 in demo",
                        "quota of tenants below root, T4",
                        "aggregation slots of demo",
                        "jobs of group search",
                        "restarts in a round"));
    }

    @Test
    void aJobIsNotExpectedToStartBeforeTheEndOfItsPause() throws Exception {
        browser.show("queue");

        assertThat(browser.value("""
                import('/ui/upcoming.js').then(({ expectedStart }) => [
                  expectedStart({ eta: null, retryAt: null }),
                  expectedStart({ eta: { median: null }, retryAt: '1970-01-01T00:00:07Z' }),
                  expectedStart({ eta: { median: '1970-01-01T00:00:05Z' }, retryAt: '1970-01-01T00:00:07Z' }),
                  expectedStart({ eta: { median: '1970-01-01T00:00:05Z' }, retryAt: null })].map(String))""")).isEqualTo(List.of("null", "7000", "7000", "5000"));
    }

    @Test
    void theTimelineHasARowForEachSlot() throws Exception {
        browser.size(1400, 1000);
        browser.show("timeline?rows=slots");

        browser.await(() -> !browser.all(".chart canvas").isEmpty());
        assertThat(((Number) browser.value("document.querySelector('.chart').clientHeight")).intValue())
                .isEqualTo(64 * 12 + 110);
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void theTimelineDrawsABarWhoseEndIsLaterThanItsAxis() throws Exception {
        browser.size(1400, 1000);
        browser.show("timeline");

        browser.await(() -> (Boolean) browser.value("""
                import('/ui/lib/echarts.esm.min.js').then(({ getInstanceByDom }) => {
                  const chart = getInstanceByDom(document.querySelector('[aria-label="Timeline of allocations"]'));
                  const { series: [bars], xAxis: [axis] } = chart?.getOption() ?? { series: [{ data: [] }], xAxis: [{}] };
                  return bars.data.some((bar) => bar.ahead && bar.value[1] > axis.max)
                    && chart.getModel().getSeriesByIndex(0).getData().count() === bars.data.length;
                })"""));
    }

    @Test
    void theHeaderStatesWhenThePlanWasPublished() throws Exception {
        browser.show("overview");

        browser.await(() -> browser.text("#live").matches("plan \\d+, published at \\d\\d:\\d\\d:\\d\\d.*"));
    }

    @Test
    void aRecommendedConfigurationFitsItsTile() throws Exception {
        browser.size(1400, 1000);
        browser.show("recommendations");
        browser.await(() -> !browser.all("main form button").isEmpty());
        browser.press("main form button");

        browser.await(() -> browser.text(".tile strong").matches("\\d+ slots?"));
        assertThat(browser.text(".tile .detail")).matches("\\S+, batch size [\\d,]+");
    }

    @Test
    void theHistoryIsReadAgain() throws Exception {
        browser.show("webhooks");

        assertThat(browser.value("""
                import('/ui/data.js').then(async ({ recentHistory }) => {
                  const first = await recentHistory(6);
                  return first === await recentHistory(6) ? "the same" : "another";
                })""")).isEqualTo("the same");
    }

    @Test
    void aDeadWebhookIsAnAlarm() throws Exception {
        database.execute("""
                insert into webhook (id, url, kinds, secret, enabled, created_by, position_transaction, position_number) values (
                    '6d1b2c5e-0d3a-4c8b-9a51-3f0c5d2e6a70', 'https://gone.example.org/', '{RESTORED}', 'whsec_x', true, 'ann', pg_current_xact_id(), 0)
                """);
        database.execute("""
                insert into webhook_delivery (id, webhook_id, kind, body, state, attempts, ended_at)
                values (gen_random_uuid(), '6d1b2c5e-0d3a-4c8b-9a51-3f0c5d2e6a70', 'PING', '{}', 'DEAD', 4, now())
                """);
        browser.show("overview");

        browser.await(
                () -> browser.text(".alarms").contains("1 webhook with a dead delivery: https://gone.example.org/"));
        database.execute("delete from webhook_delivery; delete from webhook");
    }

    @Test
    void aNodeInMaintenanceHasNoFreeSlotsInAnyView() throws Exception {
        Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        assertThat(client.put(
                                "/api/v1/maintenance-windows/fan",
                                "{\"nodes\": [\"demo-t4-6\"], \"start\": \"%s\", \"end\": \"%s\"}"
                                        .formatted(now.minusSeconds(5), now.plusSeconds(3600)))
                        .statusCode())
                .isEqualTo(201);
        browser.size(1400, 1000);
        browser.show("nodes");
        browser.await(() -> browser.text("li.node.maintenance").contains("demo-t4-6"));
        browser.show("overview");
        browser.await(() -> browser.text(".tiles").contains("1 unavailable: maintenance"));
        browser.show("node/demo-t4-6");
        browser.await(() -> browser.text(".tiles").contains("0 free"));
        assertThat(browser.text(".tiles")).contains("maintenance");

        client.delete("/api/v1/maintenance-windows/fan");
    }

    @Test
    void quotaBarsHaveOneScale() throws Exception {
        browser.size(1400, 1000);
        browser.show("tenants");

        browser.await(() ->
                browser.all("[aria-label='Quotas by tenant and type'] tbody tr").size() == 6);
        assertThat(browser.value("""
                [...document.querySelectorAll("[aria-label='Quotas by tenant and type'] tbody tr")].map((row) => ({
                    held: Number(row.cells[3].textContent), width: parseFloat(row.querySelector('.bar span').style.width) }))
                  .every(({ held, width }, i, all) => all.every((other) => (held > other.held) === (width > other.width + 0.1)))""")).isEqualTo(true);
    }

    /** A change by which a job started, with the revision of its plan. */
    private static JsonNode aStart() throws Exception {
        for (JsonNode plan : Client.json(client.get("/api/v1/plans?limit=50")).path("items")) {
            long revision = plan.path("revision").asLong();
            for (JsonNode change : Client.json(client.get("/api/v1/plans/%d/diff".formatted(revision)))
                    .path("changes")) {
                if (change.path("change").asString().equals("START")) {
                    return ((ObjectNode) change).put("revision", revision);
                }
            }
        }
        throw new AssertionError("no job has started");
    }

    @Test
    void thePreparationsViewShowsLendersAndBorrowers() throws Exception {
        browser.size(1400, 1000);
        browser.show("preparations");

        browser.await(() -> browser.text().contains("insufficient local memory")
                || browser.text().contains("unsatisfiable"));
        browser.await(() ->
                browser.all("[aria-label='Memory loans by node'] tbody tr").size() == loans().size());
        assertThat(loans()).isNotEmpty();
        for (JsonNode loan : loans()) {
            String row = "%s %d GiB shuffle 300"
                    .formatted(loan.path("lender").asString(), loan.path("gib").asInt());
            assertThat(browser.text("[aria-label='Memory loans by node']")).contains(row);
        }
    }

    private static int status(String path, String... headers) {
        try {
            return client.get(path, headers).statusCode();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static List<JsonNode> loans() {
        return planned().at("/preparations/running/0/grant/loans").valueStream().toList();
    }

    private static JsonNode planned() {
        try {
            return Client.json(client.get("/api/v1/plans/current"));
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void theClusterSaysWhoseMemoryIsLent() throws Exception {
        browser.size(1400, 1000);
        browser.show("nodes");

        browser.await(() -> loans().stream()
                .allMatch(loan -> browser.value(
                                "document.querySelector(\"[aria-label^='%s,']\")?.getAttribute('aria-label') ?? ''"
                                        .formatted(loan.path("lender").asString()))
                        .toString()
                        .contains("lent " + loan.path("gib").asInt())));
    }

    @Test
    void everyAggregatorOfThePlanIsShownWithItsShards() throws Exception {
        browser.size(1400, 1000);
        submitOneThatFits("served", "PARAMETER_SERVER", 1);
        browser.show("aggregators");

        browser.await(() -> planned().path("aggregators").size()
                        == browser.all("main tbody tr").size()
                && planned().path("aggregators").size() > 0);
        browser.await(() -> planned()
                .path("aggregators")
                .valueStream()
                .allMatch(one -> browser.text()
                        .contains("%s %d %d"
                                .formatted(
                                        one.path("node").asString(),
                                        one.path("number").asInt(),
                                        one.path("port").asInt()))));
    }

    @Test
    void aConnectorShowsItsStateAndTakesTheChosenControlLevel() throws Exception {
        browser.size(1400, 1000);
        browser.show("connectors");
        assertThat(browser.text())
                .contains("job 17 was not held", "hold, failed", "it runs on", "<b>18</b>", "1 of them blocked");

        browser.press("#do-set-control-level");
        browser.type("#dialog-level", "admit");
        browser.press("#dialog-submit");

        browser.await(() -> browser.text().contains("Circuit breaker\nclosed"));
        assertThat(Client.json(client.get("/api/v1/connectors/hpc"))
                        .path("controlLevel")
                        .asString())
                .isEqualTo("ADMIT");
    }

    @Test
    void anOperatorDecidesOnThePlanThatWaits() throws Exception {
        String reject = """
                (() => {
                  const dialog = document.querySelector('dialog');
                  if (dialog?.querySelector('[role=alert]').textContent) {
                    dialog.close();
                  } else if (dialog?.querySelector('#dialog-submit:enabled')) {
                    dialog.querySelector('#dialog-note').value = 'not today';
                    dialog.querySelector('form').requestSubmit();
                  } else {
                    document.querySelector('#do-reject')?.click();
                  }
                  return true;
                })()""";
        browser.size(1400, 1000);
        browser.show("approvals");
        waitForOperators(true);
        try {
            submitOneThatFits("newcomer", "ALL_REDUCE", 0);
            // a proposal may be overtaken by the next round before it is decided on
            browser.await(
                    () -> (Boolean) browser.value(reject) && browser.text().contains("not today"));

            assertThat(Client.json(client.get("/api/v1/proposals?status=REJECTED"))
                            .at("/items/0/note")
                            .asString())
                    .isEqualTo("not today");
        } finally {
            waitForOperators(false);
            browser.show("overview");
            browser.complaints(); // of decisions that came too late
        }
    }

    private static void waitForOperators(boolean desired) {
        Object status = browser.value("""
                fetch('/api/v1/settings').then((answer) => answer.json()).then((settings) => fetch('/api/v1/settings', {
                  method: 'PUT', headers: {'Content-Type': 'application/json', 'If-Match': '*'},
                  body: JSON.stringify({...settings, approval: %s})})).then((answer) => answer.status)""".formatted(desired).replace("\n", " "));
        assertThat(status).isEqualTo(200L);
    }

    private static void submitOneThatFits(String name, String strategy, int aggregationSlots) throws Exception {
        var answer = client.post("/api/v1/jobs", """
                {"name": "%s", "tenant": "vision", "owner": "ann", "spec": {"priority": 10,
                  "synchronization": {"allReduce": %s, "parameterServer": %s,
                    "minAggregationSlots": %d, "maxAggregationSlots": %d},
                  "work": {"unit": "SAMPLES", "amount": 1e6}, "elasticity": {"minSlots": 1, "maxSlots": 1},
                  "batch": {"initial": 64, "min": 64, "max": 64, "maxPerDevice": 64},
                  "profile": {"points": [{"acceleratorType": "T4", "slots": 1, "nodes": 1, "batchSize": 64,
                    "strategy": "%s", "aggregationSlots": %d, "samplesPerSecond": 900}]}}}
                """.formatted(
                        name,
                        strategy.equals("ALL_REDUCE"),
                        strategy.equals("PARAMETER_SERVER"),
                        aggregationSlots,
                        aggregationSlots,
                        strategy,
                        aggregationSlots));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    }

    @Test
    void aMaintenanceWindowSaysWhatItDoesToItsNodes() throws Exception {
        var answer = client.put("/api/v1/maintenance-windows/new-fans", """
                {"nodes": ["demo-t4-1"], "start": "2099-01-01T00:00:00Z", "end": "2099-01-01T02:00:00Z",
                  "reason": "the fans are old"}
                """);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
        browser.size(1400, 1000);
        browser.show("maintenance");

        assertThat(browser.text()).contains("new-fans scheduled", "demo-t4-1 the fans are old");
    }

    @Test
    void aMaintenanceWindowIsCreatedAndDeletedByItsForm() throws Exception {
        browser.size(1400, 1000);
        browser.show("maintenance");
        browser.press("#do-new-window");
        browser.type("#dialog-name", "by-form");
        browser.type("#dialog-nodes", "no-such-node" + Keys.ENTER);
        browser.await(() -> browser.text("dialog form").contains("no-such-node"));
        browser.complaints(); // of the response 422
        browser.value("document.querySelector('#dialog-nodes').value = 'demo-cpu-1'");
        browser.value("document.querySelector('#dialog-end').value = '2099-01-01T00:00'");
        browser.value("document.querySelector('#dialog-start').value = '2098-01-01T00:00'");
        browser.press("#dialog-submit");
        browser.await(() -> browser.text().contains("by-form"));

        browser.press("#menu-by-form");
        browser.press("dialog button.danger");
        browser.press("#dialog-submit");

        browser.await(() -> !browser.text().contains("by-form"));
    }

    @Test
    void onlyAChangedSettingIsSent() throws Exception {
        browser.size(1400, 1000);
        browser.show("settings");
        browser.press("#do-change-settings");
        browser.value("document.querySelector('#dialog-planning-agingSeconds').value = '7777'");
        browser.press("#dialog-submit");

        browser.await(() -> browser.text().contains("2 h 9 min"));
        assertThat(Client.json(client.get("/api/v1/audit?operation=updateSettings"))
                        .at("/items/0/change")
                        .toString())
                .isEqualTo("{\"/planning/agingSeconds\":[7200.0,7777.0]}");
    }

    @Test
    void aFailureOfTheOverviewIsOneClickFromItsCause() throws Exception {
        String job = "00000000-0000-4000-8000-00000000fa11";
        database.execute("""
                insert into job (id, tenant, owner, name, labels, spec, deadline_status, wait_for_hardware, state, total_work, ended_at)
                select '%1$s', 'root', 'ann', 'diverged', '{}', (select spec from job where kind = 'TRAINING' limit 1), 'NONE', false, 'FAILED', 1, now();
                insert into job_event (job_id, kind, detail) values ('%1$s', 'FAILED', '{"generation": 1, "failures": 4, "maxRestarts": 3}');
                insert into job_log (job_id, seq) values ('%1$s', 1);
                insert into job_log_rank (job_id, generation, rank, node, seq, upload_seq, exit_code, ended_at)
                    values ('%1$s', 1, 2, 'demo-t4-1', 1, 1, 3, now());
                insert into job_log_chunk (job_id, seq, generation, rank, text) values ('%1$s', 1, 1, 2, 'ValueError: loss is <b>nan</b>' || chr(10))
                """.formatted(job));
        browser.size(1400, 1000);
        browser.show("overview");
        browser.await(() -> browser.text(".alarms").contains("1 job failed in the last day"));
        assertThat(browser.barriers()).isEmpty();

        browser.press(".alarms a[href$='" + job + "']");

        browser.await(() -> browser.text("h1").equals("diverged"));
        assertThat(browser.text())
                .contains("Attempt 4 of 4 failed.", "Exit code\n3", "demo-t4-1", "rank 2, generation 1")
                .contains("ValueError: loss is <b>nan</b>");
        browser.press("#log summary");
        browser.await(() -> browser.text("#log pre").equals("ValueError: loss is <b>nan</b>"));
        assertThat(browser.barriers()).isEmpty();
        // the service records the outcome of an ended job at some time
        database.execute("""
                delete from job_log; delete from job_event where job_id = '%1$s'; delete from job_outcome where job_id = '%1$s';
                delete from job where id = '%1$s'
                """.formatted(job));
    }

    @Test
    void theGlossaryIsThatOfTheDocumentation() throws Exception {
        browser.size(1400, 1000);
        browser.show("glossary?cluster-and-jobs-q=aggregator");

        assertThat(browser.text("[aria-label='Cluster and jobs'] tbody tr"))
                .startsWith("aggregator parameter-server process that sums gradients of jobs aggregators");
    }

    @Test
    void theTimelineIsAChartWithItsDataAsATable() throws Exception {
        browser.size(1400, 1000);
        browser.show("timeline");
        browser.await(() -> !browser.all(".chart canvas").isEmpty());

        browser.press("#data-timeline-of-allocations summary");

        String started = Client.json(
                        client.get("/api/v1/jobs/" + aStart().path("jobId").asString()))
                .path("name")
                .asString();
        browser.await(() -> browser.text().contains(started));
        assertThat(browser.barriers()).isEmpty();
    }

    @Test
    void aTokenIsShownOnceAndRevokedAfterAQuestion() throws Exception {
        browser.size(1400, 1000);
        browser.show("tokens");
        browser.press("#do-new-token");
        browser.type("#dialog-name", "once" + Keys.ENTER);
        browser.await(() -> !browser.all("#secret").isEmpty());
        String secret = browser.text("#secret");
        assertThat(client.get("/api/v1/whoami", "Authorization", "Bearer " + secret)
                        .body())
                .contains("once");

        browser.show("tokens");
        assertThat(browser.text()).contains("once").doesNotContain(secret);
        browser.press("[aria-label='Actions: once']");
        browser.press("dialog button.danger");
        browser.press("#dialog-submit");

        browser.await(() -> browser.all("[aria-label='Revoked or expired tokens'] tbody tr").stream()
                .anyMatch(row -> row.getText().startsWith("once ")));
        browser.await(() -> status("/api/v1/whoami", "Authorization", "Bearer " + secret) == 401); // known for a moment
    }

    @Test
    void aWebhookIsCreatedWithASecretShownOnceChangedPausedAndDeleted() throws Exception {
        browser.size(1400, 1000);
        browser.show("webhooks");
        browser.press("#do-new-webhook");
        browser.type("#dialog-url", "https://hooks.example.org/first");
        browser.type("#dialog-tenants", "absent" + Keys.ENTER);
        browser.await(() -> browser.text("#dialog-tenants-error").contains("there is no tenant absent"));
        browser.complaints(); // of the response 422
        browser.value("document.querySelector('#dialog-tenants').value = 'vision'");
        browser.type("#dialog-kinds", "STARTED DONE");
        browser.press("#dialog-submit");
        browser.await(() -> browser.text("#secret").startsWith("whsec_"));
        assertThat(browser.barriers()).isEmpty();
        String secret = browser.text("#secret");
        JsonNode created = webhook("/first");
        assertThat(created.path("kinds").valueStream().map(JsonNode::asString)).containsExactly("STARTED", "DONE");
        assertThat(created.at("/tenants/0").asString()).isEqualTo("vision");

        browser.show("webhooks");
        assertThat(browser.text()).contains("first", "started, done").doesNotContain(secret);
        choose("https://hooks.example.org/first", "Edit");
        browser.await(() -> "STARTED DONE".equals(browser.one("#dialog-kinds").getAttribute("value")));
        browser.value("document.querySelector('#dialog-url').value = 'https://hooks.example.org/second'");
        browser.press("#dialog-submit");
        browser.await(() -> browser.text().contains("second"));
        choose("https://hooks.example.org/second", "Pause");
        browser.press("#dialog-submit");
        browser.await(() -> browser.text("tbody").contains("paused"));
        JsonNode paused = webhook("/second");
        assertThat(paused.path("enabled").asBoolean()).isFalse();
        assertThat(paused.path("kinds")).isEqualTo(created.path("kinds"));

        choose("https://hooks.example.org/second", "Delete webhook");
        browser.press("#dialog-submit");
        browser.await(() -> !browser.text().contains("second"));
        assertThat(webhooks()).isEmpty();
    }

    /** Its destination is not public, so that its test delivery is dead after one attempt. */
    @Test
    void aDeadDeliveryShowsItsErrorAndIsRepeated() throws Exception {
        client.post("/api/v1/webhooks", "{\"url\": \"http://127.0.0.1/hook\", \"kinds\": [\"PROFILED\"]}");
        String id = webhook("/hook").path("id").asString();
        browser.size(1400, 1000);
        browser.show("webhooks/" + id);
        browser.press("#do-ping");
        browser.press("#dialog-submit");
        browser.await(() -> browser.text("[aria-label='Deliveries'] tbody").contains("ping dead"));
        assertThat(browser.text("[aria-label='Deliveries'] tbody")).contains("127.0.0.1 has no public address");
        assertThat(browser.barriers()).isEmpty();
        String ended = delivery(id).path("endedAt").asString();

        browser.press("[aria-label='Deliveries'] tbody button");
        browser.press("dialog p button");
        browser.press("#dialog-submit");

        browser.await(() -> delivery(id).path("state").asString().equals("DEAD")
                && !delivery(id).path("endedAt").asString().equals(ended));
        browser.press("#do-delete-webhook");
        browser.press("#dialog-submit");
        browser.await(() -> browser.text("h1").equals("Webhooks"));
        assertThat(webhooks()).isEmpty();
    }

    private static JsonNode delivery(String webhook) {
        return listed("/api/v1/webhooks/%s/deliveries".formatted(webhook)).get(0);
    }

    private static List<JsonNode> webhooks() {
        return listed("/api/v1/webhooks");
    }

    private static JsonNode webhook(String end) {
        return webhooks().stream()
                .filter(one -> one.path("url").asString().endsWith(end))
                .findFirst()
                .orElseThrow();
    }

    private static List<JsonNode> listed(String path) {
        try {
            return Client.json(client.get(path)).path("items").valueStream().toList();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** Opens the dialog of an action on a row. */
    private static void choose(String row, String action) throws InterruptedException {
        browser.press("[aria-label='Actions: %s']".formatted(row));
        browser.await(() -> {
            browser.all("dialog p button").stream()
                    .filter(button -> button.getText().equals(action))
                    .findFirst()
                    .orElseThrow(() -> new NoSuchElementException(action))
                    .click();
            return true;
        });
    }

    @Test
    void aTenantIsCreatedWeightedLimitedAndDeletedByItsForms() throws Exception {
        browser.size(1400, 1000);
        browser.show("tenants");
        browser.press("#do-new-tenant");
        browser.type("#dialog-name", "no blanks" + Keys.ENTER);
        browser.await(() -> !browser.text("#dialog-name-error").isEmpty());
        browser.complaints(); // of the response 400
        browser.value("document.querySelector('#dialog-name').value = 'speech'");
        browser.press("#dialog-submit");
        browser.await(() -> browser.text().contains("speech root"));

        choose("speech", "Edit");
        browser.await(() -> !browser.all("#dialog-weight").isEmpty());
        browser.value("document.querySelector('#dialog-weight').value = '2.5'");
        browser.press("#dialog-submit");
        browser.await(() -> browser.text().contains("speech root 2.5"));

        browser.press("#do-new-quota");
        browser.type("#dialog-tenant", "speech");
        browser.type("#dialog-type", "A100");
        browser.type("#dialog-nominal", "8");
        browser.type("#dialog-lending", "10000001" + Keys.ENTER);
        browser.await(() -> !browser.text("#dialog-lending-error").isEmpty());
        assertThat(browser.barriers()).isEmpty();
        browser.complaints(); // of the response 400
        browser.value("document.querySelector('#dialog-lending').value = '4'");
        browser.press("#dialog-submit");
        browser.await(
                () -> browser.text("[aria-label='Quotas by tenant and type']").contains("speech A100"));
        choose("speech, A100", "Edit");
        browser.await(() -> browser.one("#dialog-lending").getAttribute("value").equals("4"));
        browser.value("document.querySelector('#dialog-lending').value = ''");
        browser.value("document.querySelector('#dialog-borrowing').value = '16'");
        browser.press("#dialog-submit");
        browser.await(
                () -> browser.text("[aria-label='Quotas by tenant and type']").contains("speech A100\n0 8 16 all"));
        assertThat(Client.json(client.get("/api/v1/tenants/speech")))
                .hasToString(
                        "{\"name\":\"speech\",\"parent\":\"root\",\"weight\":2.5,\"quotas\":{\"A100\":{\"nominal\":8,\"borrowingLimit\":16,"
                                + "\"lendingLimit\":null}},\"pastUsage\":null}");

        choose("speech, A100", "Delete quota");
        browser.press("#dialog-submit");
        browser.await(() -> !browser.text().contains("speech A100"));
        choose("speech", "Delete tenant");
        browser.press("#dialog-submit");
        browser.await(() -> !browser.text().contains("speech"));
        assertThat(client.get("/api/v1/tenants/speech").statusCode()).isEqualTo(404);
    }

    @Test
    void aTenantInUseIsNotDeletedAndTheDialogSaysWhy() throws Exception {
        browser.size(1400, 1000);
        browser.show("tenants");
        choose("vision", "Delete tenant");
        browser.press("#dialog-submit");

        browser.await(() -> !browser.text("dialog [role=alert]").isEmpty());
        assertThat(client.get("/api/v1/tenants/vision").statusCode()).isEqualTo(200);
        browser.complaints(); // of the response 409
    }

    @Test
    void aJobGroupIsCreatedLimitedAndDeletedByItsForms() throws Exception {
        browser.size(1400, 1000);
        browser.show("tenants");
        browser.press("#do-new-group");
        browser.type("#dialog-name", "sweep");
        browser.type("#dialog-jobs", "3" + Keys.ENTER);
        browser.await(() -> browser.text().contains("sweep root no limit 3"));

        choose("sweep", "Edit");
        browser.type("#dialog-slots", "16" + Keys.ENTER);
        browser.await(() -> browser.text().contains("sweep root 16 3"));

        choose("sweep", "Delete group");
        browser.press("#dialog-submit");
        browser.await(() -> !browser.text().contains("sweep"));
    }

    @Test
    void whatIsBeingTypedIsNotDrawnOver() throws Exception {
        browser.size(1400, 1000);
        browser.show("tokens");
        browser.press("#do-new-token");
        browser.type("#dialog-name", "half");

        client.post("/api/v1/tokens", "{\"name\": \"beside\", \"role\": \"VIEWER\"}");
        browser.await(() -> browser.text().contains("beside"));

        assertThat(browser.one("#dialog-name").getAttribute("value")).isEqualTo("half");
        assertThat(browser.barriers()).isEmpty();
        browser.type("#dialog-name", Keys.ESCAPE);
        browser.await(() -> browser.value("document.activeElement.id").equals("do-new-token"));
    }

    @Test
    void orderAndFilterOfATableAreInTheAddress() throws Exception {
        browser.size(1400, 1000);
        browser.show("jobs?q=SHUFFLE&sort=job");
        assertThat(names()).containsExactly("shuffle 300", "shuffle 100000"); // numbers in names count as numbers

        browser.press("#main-by-job");
        browser.await(() -> names().equals(List.of("shuffle 100000", "shuffle 300")));
        browser.type("#main-filter", " 100000");
        browser.await(() -> names().equals(List.of("shuffle 100000")));

        assertThat(browser.value("location.hash")).isEqualTo("#/jobs?q=SHUFFLE+100000&sort=-job");
        browser.value("location.reload() || true");
        browser.await(() -> names().equals(List.of("shuffle 100000")));
    }

    private static List<String> names() {
        return browser.all("main tbody td[data-label=job]").stream()
                .map(WebElement::getText)
                .toList();
    }

    @Test
    void aJobIsHeldAndReleasedFromTheList() throws Exception {
        browser.size(1400, 1000);
        browser.show("jobs?state=pending&q=onerror");
        for (String action : List.of("Hold", "Release")) {
            browser.press("#menu-" + waiting);
            browser.await(() -> browser.one("dialog p button").getText().equals(action));
            browser.press("dialog p button");
            browser.press("#dialog-submit");

            browser.await(() -> browser.text("tbody .state").contains("held") == action.equals("Hold"));
        }
    }

    @Test
    void selectedJobsAreHeldGivenAPriorityReleasedAndCancelled() throws Exception {
        List<String> ids = submitSelectable(4);
        browser.size(1280, 900);
        browser.show("jobs?q=selectable&sort=job");
        browser.await(() -> names().size() == 4);
        browser.type("#select-" + ids.get(0), Keys.SPACE);
        browser.type("#select-" + ids.get(0), Keys.chord(Keys.SHIFT, Keys.ARROW_DOWN));
        browser.await(() -> browser.text("#selected").equals("2 selected"));
        assertThat(browser.value("document.activeElement.id")).isEqualTo("select-" + ids.get(1));
        assertThat(browser.barriers()).isEmpty();
        browser.value(
                "document.getElementById('select-%s').dispatchEvent(new MouseEvent('click', {shiftKey: true, bubbles: true}))"
                        .formatted(ids.get(3)));
        browser.await(() -> browser.text("#selected").equals("4 selected"));
        browser.type("#select-" + ids.get(3), Keys.SPACE);

        onSelected("hold", "Hold 3 jobs?");
        browser.await(() -> browser.text("#selected").equals("3 of 3 done"));
        assertThat(held(ids)).containsExactly(true, true, true, false);

        browser.press("#select-all");
        browser.press("#do-change-priority");
        browser.await(() -> browser.text("dialog h2").equals("Change the priority of 4 jobs?"));
        browser.value("document.querySelector('#dialog-priority').value = '-3'");
        browser.press("#dialog-submit");
        browser.await(() -> browser.text("#selected").equals("4 of 4 done"));
        for (String id : ids) {
            assertThat(Client.json(client.get("/api/v1/jobs/" + id))
                            .at("/spec/priority")
                            .asInt())
                    .isEqualTo(-3);
        }

        browser.press("#select-all");
        onSelected("release", "Release 3 jobs?");
        browser.await(() -> browser.text("#selected").contains("3 of 3 done"));
        assertThat(held(ids)).containsOnly(false);

        browser.press("#select-all");
        onSelected("cancel-jobs", "Cancel 4 jobs?");
        browser.await(() -> names().isEmpty());
        assertThat(ids).allMatch(id -> job(id).path("state").asString().equals("CANCELLED"));
    }

    /** The first of the jobs ends elsewhere while the dialog is open. */
    @Test
    void whatFailsOfASelectionIsListedAndRemainsSelected() throws Exception {
        List<String> ids = submitSelectable(2);
        browser.size(1280, 900);
        browser.show("jobs?q=selectable");
        browser.await(() -> names().size() == 2);
        browser.type("#main-filter", " job-1");
        browser.await(() -> names().size() == 1);
        browser.press("#select-all");
        browser.type("#main-filter", Keys.BACK_SPACE + "0");
        browser.press("#select-all");
        browser.await(() -> browser.text("#selected").equals("2 selected, 1 of them hidden by the filter"));
        browser.press("#do-hold");
        browser.await(() -> browser.text("dialog h2").equals("Hold 2 jobs?"));
        client.post("/api/v1/jobs/%s/cancel".formatted(ids.get(0)), "");
        String cause = Client.json(client.post("/api/v1/jobs/%s/hold".formatted(ids.get(0)), ""))
                .path("detail")
                .asString();

        browser.press("#dialog-submit");

        browser.await(() -> browser.text("dialog h2").equals("1 of 2 done"));
        assertThat(browser.text("dialog")).contains("1 failure:", "selectable job-0: " + cause);
        assertThat(held(ids)).containsExactly(false, true);
        assertThat(browser.barriers()).isEmpty();
        browser.complaints(); // of the response 409
        client.post("/api/v1/jobs/%s/cancel".formatted(ids.get(1)), "");
    }

    @Test
    void jobsThatHaveEndedCannotBeSelected() throws Exception {
        List<String> ids = submitSelectable(1);
        client.post("/api/v1/jobs/%s/cancel".formatted(ids.get(0)), "");
        browser.size(1280, 900);
        browser.show("jobs?state=canceled&q=selectable");

        browser.await(() -> !names().isEmpty());
        assertThat(browser.all(".pick")).isEmpty();
        assertThat(browser.all("#select-all")).isEmpty();
    }

    @Test
    void requestsForASelectionRespectTheRateLimitAndEndWithTheirDialog() throws Exception {
        browser.show("jobs");

        assertThat(browser.value("""
                import('/ui/select.js').then(async ({ each }) => {
                  const dialog = document.body.appendChild(document.createElement('p'));
                  let requests = 0;
                  const limited = () => {
                    requests += 1;
                    if (requests === 1) {
                      throw { status: 429 };
                    }
                  };
                  const [repeated] = await each(['a'], limited, dialog);
                  dialog.remove();
                  const rest = await each(['b', 'c'], limited, dialog);
                  return [repeated.done, requests, rest.length, rest.some((one) => one.done)];
                })""")).isEqualTo(List.of(true, 2L, 2L, false));
    }

    @Test
    void namesSortByTheirNumbersWithoutRegardToCaseAndAccents() throws Exception {
        browser.show("jobs");

        assertThat(browser.value("""
                import('/ui/order.js').then(({ inOrder }) => {
                  const names = ['node-10', 'Node-9', '', 'école', 'eclair', 'ecru'];
                  return [inOrder(names, (name) => name), inOrder(names, (name) => name, true), inOrder([10, null, 9], (value) => value)];
                })"""))
                .isEqualTo(List.of(
                        List.of("eclair", "école", "ecru", "Node-9", "node-10", ""),
                        List.of("node-10", "Node-9", "ecru", "école", "eclair", ""),
                        Arrays.asList(9L, 10L, null)));
    }

    private static void onSelected(String action, String title) throws InterruptedException {
        browser.press("#do-" + action);
        browser.await(() -> browser.text("dialog h2").equals(title));
        browser.press("#dialog-submit");
    }

    /** Jobs that wait for hardware that never comes. */
    private static List<String> submitSelectable(int count) throws Exception {
        List<String> ids = new ArrayList<>();
        for (int n = 0; n < count; n++) {
            var answer = client.post("/api/v1/jobs", """
                    {"name": "selectable job-%d", "tenant": "vision", "waitForHardware": true, "spec": {"work": {"amount": 1e6}, "batch": {"initial": 512},
                      "elasticity": {"minSlots": 512, "maxSlots": 512}}}
                    """.formatted(n));
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
            ids.add(Client.json(answer).path("id").asString());
        }
        return ids;
    }

    private static List<Boolean> held(List<String> ids) {
        return ids.stream().map(id -> job(id).path("held").asBoolean()).toList();
    }

    private static JsonNode job(String id) {
        return listed("/api/v1/jobs?id=" + id).get(0);
    }

    @Test
    void whatTheServiceRefusesIsShownAtItsField() throws Exception {
        browser.size(1400, 1000);
        browser.show("jobs");
        browser.press("#do-submit-a-job");
        browser.type("#dialog-name", "wrong");
        browser.type("#dialog-amount", "1000");
        browser.press("#dialog-types input[value=A100]");
        browser.type("#dialog-family", "no blanks");
        browser.type("#dialog-batch", "64" + Keys.ENTER);

        browser.await(() -> !browser.text("#dialog-family-error").isEmpty());
        assertThat(browser.one("#dialog-family").getAttribute("aria-invalid")).isEqualTo("true");
        assertThat(browser.barriers()).isEmpty();
        browser.complaints(); // of the response 400
    }

    @Test
    void whatIfPlansACopyAndShowsTheDifference() throws Exception {
        browser.size(1400, 1000);
        browser.show("whatif");
        browser.type("#kind", "without a job");
        browser.await(() -> !browser.all("select[name=job]").isEmpty());

        browser.press("#question-submit");

        browser.await(() -> browser.text().contains("Changed jobs"));
    }

    @Test
    void whatIfShowsWhatBecomesOfPreparations() throws Exception {
        browser.size(1400, 1000);
        browser.show("whatif");
        browser.type("#kind", "one more data preparation");
        browser.type("select[name=like]", "shuffle 300");

        browser.press("#question-submit");

        browser.await(() -> browser.text().contains("Changed data preparations"));
        assertThat(browser.text()).contains("the new one", "shuffle 100000");
        assertThat(browser.value("document.querySelector('select[name=like]').selectedOptions[0].text"))
                .isEqualTo("shuffle 300");
        assertThat(browser.barriers()).isEmpty();
    }

    @Test
    void whatIfKeepsNodesAndMaintainsThem() throws Exception {
        browser.size(1400, 1000);
        for (String question :
                List.of("nodes reserved for a job", "nodes reserved for a tenant", "maintenance of a node")) {
            browser.show("whatif");
            browser.type("#kind", question);
            if (question.endsWith("job")) {
                browser.type("select[name=job]", "<img");
            }
            browser.press("#question-submit");

            browser.await(() -> browser.text().contains("Changed jobs"));
            assertThat(browser.complaints()).isEmpty();
        }
    }

    @Test
    void whatIfLetsGoOfWhatIsHeldOrKept() throws Exception {
        browser.await(() ->
                !listed("/api/v1/jobs?kind=DATA_PREPARATION&state=WAITING").isEmpty());
        String held = Client.json(client.get("/api/v1/jobs?kind=DATA_PREPARATION&state=WAITING"))
                .at("/items/0/id")
                .asString();
        client.post("/api/v1/jobs/%s/hold".formatted(held), "");
        client.put("/api/v1/maintenance-windows/later", """
                {"nodes": ["demo-cpu-1"], "start": "2126-12-28T14:00:00Z", "end": "2126-12-28T16:00:00Z"}
                """);
        browser.size(1400, 1000);
        for (String question :
                List.of("a held data preparation released", "without a reservation", "without a maintenance window")) {
            browser.show("whatif");
            browser.type("#kind", question);
            browser.await(() -> browser.all("form option").size() == 1);
            browser.press("#question-submit");

            browser.await(() -> browser.text().contains("Changed jobs"));
            assertThat(browser.complaints()).isEmpty();
        }
        client.post("/api/v1/jobs/%s/release".formatted(held), "");
        client.delete("/api/v1/maintenance-windows/later");
    }

    @Test
    void whatTheServiceRefusesIsShownInItsWords() throws Exception {
        String nobody = "00000000-0000-4000-8000-000000000000";
        String words =
                Client.json(client.get("/api/v1/jobs/" + nobody)).path("detail").asString();

        browser.show("job/" + nobody);

        assertThat(browser.text("[role=alert]")).isNotEmpty().isEqualTo(words);
        browser.leave();
        browser.complaints(); // of the responses 404
    }

    @Test
    void whoseTokenDoesNotCountIsAskedForOneThatDoes() throws Exception {
        String secret = Client.json(client.post("/api/v1/tokens", "{\"name\": \"ann\", \"role\": \"VIEWER\"}"))
                .path("secret")
                .asString();
        browser.size(1400, 1000);
        browser.show("overview");
        browser.value("sessionStorage.setItem('token', 'spur_nobody') || true");
        try {
            browser.show("overview");
            browser.await(() -> !browser.all("#token").isEmpty());
            assertThat(browser.barriers()).isEmpty();
            assertThat(browser.text()).contains("./spur token create");
            assertThat(browser.one("#views").isDisplayed()).isFalse();

            browser.type("#token", secret + Keys.ENTER);

            browser.await(() -> browser.text("#leave").equals("Sign out ann"));
            browser.await(() -> browser.text().contains("Slots in use"));
            assertThat(browser.one("a[href='#/tokens']").isDisplayed()).isFalse();
            browser.show("connectors");
            browser.await(() -> browser.text().contains("hpc"));
            assertThat(browser.all("#do-set-control-level")).isEmpty();
        } finally {
            browser.value("sessionStorage.removeItem('token') || true");
            browser.complaints();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nonsense", "constructor", "__proto__/x", "job", "job/%E0%A4%A", "overview/x"})
    void anAddressThatBelongsToNoViewShowsThatThereIsNoSuchPage(String address) throws Exception {
        browser.size(1400, 1000);
        browser.show(address);

        assertThat(browser.text("h1")).isEqualTo("No such page");
        assertThat(browser.text()).contains("#/" + address);
        assertThat(browser.complaints()).isEmpty();
        assertThat(browser.barriers()).isEmpty();
    }

    @Test
    void runningJobsHaveDifferentColors() throws Exception {
        browser.size(1400, 1000);
        browser.show("nodes");
        browser.await(() -> browser.all(".cell.held").size() == held());

        assertThat(browser.value("""
                ['background', 'href'].map((of) => [...document.querySelectorAll('.cell.held')]
                    .map((cell) => of === 'href' ? cell.href : cell.style.background))
                    .map((all) => new Set(all).size).reduce((colors, jobs) => jobs > 2 && colors === jobs)""")).isEqualTo(true);
    }

    @Test
    void aJobKeepsItsColorWhileOthersStartAndEnd() throws Exception {
        browser.show("nodes");

        assertThat(browser.value("""
                import('/ui/color.js').then(({ assignColors, ofJob }) => {
                  const ids = [...Array(30).keys()].map((i) => `job-${i}`);
                  assignColors(ids.slice(0, 20));
                  const before = ofJob('job-15');
                  assignColors(ids.slice(10, 30));
                  const after = ids.slice(10, 30).map(ofJob);
                  return [new Set(after).size, before === ofJob('job-15')];
                })""")).isEqualTo(List.of(20L, true));
    }

    @Test
    void timesOfAnotherDayHaveADateAndSentencesHaveTheTimesOfTheirSurroundings() throws Exception {
        browser.show("overview");

        assertThat(browser.value("""
                import('/ui/format.js').then(({ localized, time }) => {
                  const now = new Date();
                  const early = new Date(now.getFullYear(), now.getMonth(), now.getDate(), 0, 0, 1);
                  const yesterday = new Date(early - 2000);
                  const shown = localized(`Not before ${yesterday.toISOString()}; later than ${now.toISOString()}.`);
                  return [/^\\d\\d:\\d\\d:\\d\\d$/.test(time(early)), time(yesterday).includes(String(yesterday.getDate())),
                    /^\\d/.test(time(yesterday)), shown === `Not before ${time(yesterday)}; later than ${time(now)}.`];
                })""")).isEqualTo(List.of(true, true, false, true));
    }

    @Test
    void theKeyboardReachesTheContentFirst() throws Exception {
        browser.size(1400, 1000);
        browser.show("overview");

        browser.type("body", Keys.TAB);

        assertThat(browser.value("document.activeElement.className")).isEqualTo("skip");
        browser.type(".skip", Keys.ENTER);
        assertThat(browser.value("document.activeElement.id")).isEqualTo("content");
        assertThat(browser.text("h1")).isEqualTo("Overview");
    }
}
