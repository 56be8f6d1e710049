package dev.spur.service.operations;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.PatternLayout;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.spur.service.SpurApplication;
import dev.spur.service.database.postgres.TestDatabase;
import dev.spur.service.operations.TraceReceiver.Span;
import dev.spur.service.testing.AnotherService;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.AutoConfigurationMetadata;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.mock.env.MockEnvironment;

/** What a collector receives. */
class TracingTest {
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String CALLER = "00f067aa0ba902b7";
    private static final String SECRET = "spur_dont-tell-anybody";

    @Test
    void requestsAndRoundsAreSentAndLogLinesNameTheirTrace() throws Exception {
        try (var database = TestDatabase.migrated();
                var receiver = new TraceReceiver();
                var service = AnotherService.start(
                        new SpringApplicationBuilder(SpurApplication.class),
                        "--server.port=0",
                        "--spur.database.url=" + database.jdbcUrl(),
                        "--spur.database.user=" + database.user(),
                        "--spur.database.password=" + database.password(),
                        "--spur.security.mode=token",
                        "--spur.tracing.otlp-endpoint=" + receiver.endpoint(),
                        "--management.opentelemetry.tracing.export.schedule-delay=100ms")) {
            String root = "http://127.0.0.1:" + service.getEnvironment().getRequiredProperty("local.server.port");
            List<String> log = follow(service.getEnvironment().getRequiredProperty("logging.pattern.console"));
            assertThat(call(root + "/health/live", "")).isEqualTo(200);
            assertThat(call(root + "/api/v1/jobs?owner=" + SECRET, "Bearer " + SECRET))
                    .isEqualTo(401);

            await(() -> receiver.named("http get /api/v1/jobs").findAny().isPresent()
                    || receiver.spans().stream().anyMatch(span -> span.traceId().equals(TRACE)));
            service.getBean(JdbcClient.class)
                    .sql("select pg_notify('spur_changed', 'demand')")
                    .query(row -> {});
            await(() -> receiver.named("round").count() > 1);

            theRequestIsAPartOfTheTraceOfItsCaller(receiver);
            theRoundHasItsSteps(receiver);
            assertThat(receiver.spans()).noneMatch(span -> span.toString().contains("dont-tell"));
            assertThat(receiver.spans()).noneMatch(span -> span.toString().contains("/health"));
            assertThat(receiver.named("round").map(Span::traceId))
                    .anyMatch(trace -> log.stream().anyMatch(line -> line.contains("[" + trace + "] round ")));
        }
    }

    /** What is logged of rounds from now on, as the console shows it. */
    private static List<String> follow(String pattern) {
        Logger logger = (Logger) LoggerFactory.getLogger(RoundLog.class);
        PatternLayout layout = new PatternLayout();
        layout.setContext(logger.getLoggerContext());
        layout.setPattern(pattern);
        layout.start();
        List<String> lines = new CopyOnWriteArrayList<>();
        AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
            @Override
            protected void append(ILoggingEvent event) {
                lines.add(layout.doLayout(event));
            }
        };
        appender.start();
        logger.addAppender(appender);
        return lines;
    }

    private static void theRequestIsAPartOfTheTraceOfItsCaller(TraceReceiver receiver) {
        List<Span> spans = receiver.spans().stream()
                .filter(span -> span.traceId().equals(TRACE))
                .toList();

        assertThat(spans).anySatisfy(span -> {
            assertThat(span.parent()).isEqualTo(CALLER);
            assertThat(span.attributes())
                    .containsEntry("http.url", "/api/v1/jobs")
                    .containsEntry("status", "401");
        });
    }

    private static void theRoundHasItsSteps(TraceReceiver receiver) {
        Span round = receiver.named("round").findFirst().orElseThrow();
        List<Span> steps = receiver.spans().stream()
                .filter(span -> span.parent().equals(round.id()))
                .toList();

        assertThat(steps).allMatch(step -> step.traceId().equals(round.traceId()));
        assertThat(steps.stream().map(Span::name).collect(Collectors.toSet()))
                .contains(
                        "round snapshot", "round check", "round plan", "round validate", "round publish", "round save");
        assertThat(round.attributes()).containsKey("spur.round.trigger");
        assertThat(receiver.named("round plan")
                        .findFirst()
                        .orElseThrow()
                        .attributes()
                        .keySet())
                .anyMatch(name -> name.startsWith("spur.plan."));
    }

    @Test
    void tracingIsOffWithoutAnEndpoint() {
        String tracing = "org.springframework.boot.micrometer.tracing.autoconfigure.MicrometerTracingAutoConfiguration";
        String other = "org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration";
        var environment = new MockEnvironment();
        var filter = new TracingFilter();

        filter.setEnvironment(environment);
        assertThat(filter.match(new String[] {tracing, other, null}, NO_METADATA))
                .containsExactly(false, true, true);

        environment.setProperty(TracingFilter.ENDPOINT, "http://collector:4318/v1/traces");
        filter.setEnvironment(environment);
        assertThat(filter.match(new String[] {tracing, other, null}, NO_METADATA))
                .containsExactly(true, true, true);
    }

    private static final AutoConfigurationMetadata NO_METADATA = null;

    private static int call(String uri, String authorization) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(uri))
                .header("traceparent", "00-%s-%s-01".formatted(TRACE, CALLER))
                .header("X-Api-Key", SECRET);
        if (!authorization.isEmpty()) {
            request.header("Authorization", authorization);
        }
        return HttpClient.newHttpClient()
                .send(request.build(), HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    private static void await(Callable<Boolean> condition) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.call()) {
            assertThat(System.nanoTime()).as("waited too long").isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }
}
