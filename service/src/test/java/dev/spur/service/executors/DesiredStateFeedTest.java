package dev.spur.service.executors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.testing.Client;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

class DesiredStateFeedTest extends ExecutorsTest {
    @Autowired
    private DesiredStateFeed feed;

    private String path() {
        return one.path() + "/assignments";
    }

    private CompletableFuture<HttpResponse<String>> waiting() throws InterruptedException {
        String etag = api.get(path()).is(200).etag();
        var call = client().getAsync(path() + "?wait=30", "If-None-Match", etag);
        await(() -> feed.waiting() == 1);
        return call;
    }

    @Test
    void theContentIsSentOnlyToWhoHasAnotherOne() {
        placed(piece("n1", "d0"));
        var first = api.get(path()).is(200);

        api.get(path(), "If-None-Match", first.etag()).is(304);
        api.get(path() + "?after=" + first.at("/revision")).is(304);
        assertThat(api.get(path() + "?after=" + first.at("/revision") + "&wait=1")
                        .is(304)
                        .etag())
                .isEqualTo(first.etag());
        api.get(path() + "?after=1&wait=30").is(200);
    }

    @Test
    void whatChangesElsewhereIsNoNews() {
        placed(piece("n1", "d0"));
        String tag = api.get(path()).is(200).etag();

        String other = placed(piece("n2", "d0"));
        run(other, two);

        api.get(path(), "If-None-Match", tag).is(304);
    }

    @Test
    void aPollReturnsANewPlan() throws Exception {
        var call = waiting();

        String job = placed(piece("n1", "d0"));

        var news = call.get(60, TimeUnit.SECONDS);
        assertThat(news.statusCode()).isEqualTo(200);
        assertThat(Client.json(news).at("/assignments/0/jobId").asString()).isEqualTo(job);
        assertThat(news.headers().firstValue("Plan-Revision")).contains("1");
    }

    @Test
    void aPollReturnsWhenTheGangHasAccepted() throws Exception {
        String job = placed(piece("n1", "d0"), piece("n2", "d0"));
        one.step(assignment(job), "ACCEPTED");
        var call = waiting();

        two.step(assignment(job), "ACCEPTED").is(200);

        assertThat(Client.json(call.get(60, TimeUnit.SECONDS))
                        .at("/assignments/0/mayStart")
                        .asBoolean())
                .isTrue();
    }

    @Test
    void itsOwnStepForwardIsNoNewsToWhoWaits() throws Exception {
        String job = placed(piece("n1", "d0"));
        String etag = api.get(path()).is(200).etag();
        var call = client().getAsync(path() + "?wait=2", "If-None-Match", etag);
        await(() -> feed.waiting() == 1);

        one.step(assignment(job), "ACCEPTED").is(200);

        assertThat(call.get(60, TimeUnit.SECONDS).statusCode()).isEqualTo(304);
    }

    @Test
    void aPollReturnsWhenItsJobHasLeftAnotherNode() throws Exception {
        String job = placed(piece("n2", "d0"));
        run(job, two);
        String before = assignment(job);
        place(job, piece("n1", "d0"));
        two.step(before, "STOPPING").is(200);
        var call = waiting();

        two.step(before, "STOPPED", ", \"exitCode\": 143, \"requested\": true").is(200);

        var news = Client.json(call.get(60, TimeUnit.SECONDS));
        assertThat(news.at("/assignments")).hasSize(1);
        assertThat(news.at("/assignments/0/waitFor")).isEmpty();
    }

    @Test
    void aPollReturnsWhenADeviceIsFree() throws Exception {
        String leaving = placed(piece("n1", "d0"));
        run(leaving, one);
        String before = assignment(leaving);
        api.post(JOBS + leaving + "/cancel").is(200);
        placed(piece("n1", "d0"));
        one.step(before, "STOPPING").is(200);
        var call = waiting();

        one.step(before, "STOPPED", ", \"exitCode\": 143, \"requested\": true").is(200);

        var news = Client.json(call.get(60, TimeUnit.SECONDS));
        assertThat(news.at("/assignments")).hasSize(1);
        assertThat(news.at("/assignments/0/waitFor")).isEmpty();
    }

    @Test
    void aPollReturnsWhenTheJobWasCancelled() throws Exception {
        String job = placed(piece("n1", "d0"));
        run(job, one);
        var call = waiting();

        api.post(JOBS + job + "/cancel").is(200);

        var news = Client.json(call.get(60, TimeUnit.SECONDS));
        assertThat(news.at("/assignments/0/desired").asString()).isEqualTo("STOP");
        assertThat(news.at("/assignments/0/reason").asString()).isEqualTo("ENDED");
    }

    /**
     * Prints how long it took; asserts only that nobody is forgotten, since a busy machine may need longer than a wait.
     */
    @Test
    void allOfManyPollsReturnANewPlan() throws Exception {
        int callers = 500;
        world.sql("""
                insert into executor (id, instance, registration_epoch, state, address, devices, registered_at, seen_at, lease_expires_at, reclaim_at)
                select 'x' || n, 'i', n, 'ALIVE', 'x' || n, '{}', now(), now(), now() + interval '1 hour', now() + interval '1 hour'
                from generate_series(1, ?) n
                """, callers);
        for (int n = 1; n <= callers; n++) {
            world.node("x" + n, 1);
            plan.put(submit(1), piece("x" + n, "d0"));
        }
        String nothing = api.get("/api/v1/executors/x1/assignments").at("/revision");
        Queue<Long> answeredAt = new ConcurrentLinkedQueue<>();
        List<CompletableFuture<HttpResponse<String>>> calls = new ArrayList<>();
        for (int n = 1; n <= callers; n++) {
            calls.add(client().getAsync("/api/v1/executors/x" + n + "/assignments?wait=30&after=" + nothing)
                    .whenComplete((answer, failure) -> answeredAt.add(System.nanoTime())));
        }
        await(() -> feed.waiting() + answeredAt.size() == callers);

        rounds.run();
        long published = System.nanoTime();
        CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);

        for (int n = 1; n <= callers; n++) {
            if (calls.get(n - 1).join().statusCode() != 200) {
                api.get("/api/v1/executors/x" + n + "/assignments?after=" + nothing)
                        .is(200);
            }
        }
        List<Long> times = answeredAt.stream().sorted().toList();
        System.out.printf(
                "%d waiting executors answered: p50 %d ms, p99 %d ms after publication%n",
                callers,
                (times.get(callers / 2) - published) / 1_000_000,
                (times.get(callers * 99 / 100) - published) / 1_000_000);
    }
}
