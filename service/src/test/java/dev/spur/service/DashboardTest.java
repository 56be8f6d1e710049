package dev.spur.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.postgres.TestDatabase;
import dev.spur.service.testing.Client;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.Keys;
import tools.jackson.databind.JsonNode;

/** The dashboard as a browser shows it, of a running demo and a job that can never have what it wants now. */
class DashboardTest {
    private static final String HOSTILE = "<img src=x onerror=\"document.title='taken'\">";
    private static final TestDatabase DATABASE = TestDatabase.create();
    private static SpurProcess spur;
    private static Client client;
    private static Browser browser;
    private static String waiting;

    @BeforeAll
    static void startTheDemo() throws Exception {
        spur = SpurProcess.start(
                Map.of(
                        "SPUR_DATABASE_URL", DATABASE.jdbcUrl(),
                        "SPUR_DATABASE_USER", DATABASE.user(),
                        "SPUR_DATABASE_PASSWORD", DATABASE.password()),
                "serve",
                "--demo",
                "--port",
                "0");
        int port =
                Integer.parseInt(spur.awaitLine("Spur is ready").replaceAll(".*http://127\\.0\\.0\\.1:(\\d+).*", "$1"));
        client = new Client(port);
        spur.awaitLine("the demo has brought a cluster");
        browser = Browser.open("http://127.0.0.1:" + port);
        browser.show("overview");
        browser.await(
                () -> browser.text().contains("slots") || !browser.all(".bar").isEmpty());
        waiting = submitOneThatWaits();
        browser.show("queue");
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

    @AfterAll
    static void end() throws Exception {
        if (browser != null) {
            browser.close();
        }
        spur.close();
        DATABASE.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "overview",
                "queue",
                "cluster",
                "timeline",
                "changes",
                "solver",
                "tenants",
                "whatif",
                "audit",
                "job"
            })
    void everyViewIsThereForEverybodyEverywhere(String name) throws Exception {
        String view = name.equals("job") ? "job/" + waiting : name;
        browser.size(1400, 1000);
        browser.show(view);

        assertThat(browser.complaints()).isEmpty();
        for (String theme : List.of("light", "dark")) {
            browser.theme(theme);
            assertThat(browser.barriers()).as("barriers in the %s theme", theme).isEmpty();
        }
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

        browser.await(() -> browser.text().contains(entry.path("sentence").asString()));
    }

    @Test
    void aNameIsNeverTakenForMarkup() throws Exception {
        browser.show("job/" + waiting);

        assertThat(browser.one("h1").getText()).isEqualTo(HOSTILE);
        assertThat(browser.all("main img")).isEmpty();
        assertThat(browser.value("document.title")).isNotEqualTo("taken");
    }

    @Test
    void theClusterHasASquareForEachDeviceInTheColourOfItsJob() throws Exception {
        browser.size(1400, 1000);
        browser.show("cluster");

        assertThat(browser.all(".cell")).hasSize(64);
        browser.await(() -> browser.all(".cell.held").size() == held());
        assertThat(browser.one(".cell.held").getAttribute("href")).contains("#/job/");
    }

    private static int held() {
        try {
            return Client.json(client.get("/api/v1/plans/current"))
                    .path("running")
                    .valueStream()
                    .mapToInt(
                            entry -> entry.at("/allocation/configuration/slots").asInt())
                    .sum();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aChangeShowsByItself() throws Exception {
        browser.size(1400, 1000);
        browser.show("tenants");
        assertThat(browser.text()).doesNotContain("newcomers");

        client.put("/api/v1/tenants/newcomers", "{\"parent\": \"root\"}");

        browser.await(() -> browser.text().contains("newcomers"));
    }

    @Test
    void whatIfPlansACopyAndShowsTheDifference() throws Exception {
        browser.size(1400, 1000);
        browser.show("whatif");
        browser.one("#kind").sendKeys("without a job");
        browser.await(() -> !browser.all("select[name=job]").isEmpty());

        browser.one("form button").click();

        browser.await(() -> browser.text().contains("Jobs that change"));
    }

    @Test
    void whatTheServiceRefusesIsShownInItsWords() throws Exception {
        String nobody = "00000000-0000-4000-8000-000000000000";
        String words =
                Client.json(client.get("/api/v1/jobs/" + nobody)).path("detail").asString();

        browser.show("job/" + nobody);

        assertThat(browser.one("[role=alert]").getText()).isNotEmpty().isEqualTo(words);
    }

    @Test
    void whoseTokenDoesNotCountIsAskedForOneThatDoes() throws Exception {
        String secret = Client.json(client.post("/api/v1/tokens", "{\"name\": \"ann\", \"role\": \"viewer\"}"))
                .path("secret")
                .asString();
        browser.size(1400, 1000);
        browser.show("overview");
        browser.value("sessionStorage.setItem('token', 'spur_nobody') || true");
        try {
            browser.show("overview");
            browser.await(() -> !browser.all("#token").isEmpty());
            assertThat(browser.barriers()).isEmpty();

            browser.one("#token").sendKeys(secret + Keys.ENTER);

            browser.await(() -> browser.one("#leave").getText().equals("Sign out ann"));
            browser.await(() -> browser.text().contains("Accelerators"));
        } finally {
            browser.value("sessionStorage.removeItem('token') || true");
            browser.complaints();
        }
    }

    @Test
    void thePageOfTheApiShowsItsOperations() throws Exception {
        browser.size(1400, 1000);
        browser.complaints(); // those of other tests
        browser.go("/docs");

        browser.await(() -> browser.all(".opblock").size() > 60);
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void theKeyboardReachesTheContentFirst() throws Exception {
        browser.size(1400, 1000);
        browser.show("overview");

        browser.one("body").sendKeys(Keys.TAB);

        assertThat(browser.value("document.activeElement.className")).isEqualTo("skip");
    }
}
