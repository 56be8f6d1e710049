package dev.spur.service.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spur.service.web.contract.ProblemException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;
import org.springframework.test.util.ReflectionTestUtils;
import org.springframework.web.context.request.async.DeferredResult;

class LongPollTest {
    private static final Duration LONG = Duration.ofMinutes(1);

    private final Map<String, Integer> versions = new ConcurrentHashMap<>();
    private final AtomicInteger reads = new AtomicInteger();
    private final ThreadPoolTaskScheduler scheduler = startedScheduler();
    private volatile Runnable beforeRead = () -> {};
    private volatile Runnable afterRead = () -> {};
    private LongPoll<String, Integer> polls = limitedTo(2000);

    private LongPoll<String, Integer> limitedTo(int waiters) {
        return new LongPoll<>(this::read, new LongPollProperties(waiters, LONG), scheduler);
    }

    private Map<String, Integer> read(Set<String> keys) {
        reads.incrementAndGet();
        beforeRead.run();
        Map<String, Integer> read =
                keys.stream().collect(Collectors.toMap(key -> key, key -> versions.getOrDefault(key, 1)));
        afterRead.run();
        return read;
    }

    /** A caller that has {@code known}. Its response is the value, or "unchanged". */
    private record Caller(int known) implements LongPoll.Poll<Integer> {
        @Override
        public boolean isNews(Integer value) {
            return value != known;
        }

        @Override
        public Object response(Integer value) {
            return value;
        }

        @Override
        public Object notModified() {
            return "unchanged";
        }
    }

    private static ThreadPoolTaskScheduler startedScheduler() {
        var scheduler = new ThreadPoolTaskScheduler();
        scheduler.setPoolSize(2);
        scheduler.initialize();
        return scheduler;
    }

    @AfterEach
    void stop() {
        scheduler.shutdown();
    }

    private DeferredResult<?> waiting(String key, int known) {
        return (DeferredResult<?>) polls.poll(key, LONG, new Caller(known));
    }

    private void change(String key, int version) {
        versions.put(key, version);
        polls.notifyChange(key);
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waited too long").isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    private static void awaitResult(DeferredResult<?> response, Object expected) throws InterruptedException {
        await(response::hasResult);
        assertThat(response.getResult()).isEqualTo(expected);
    }

    @Nested
    class APoll {
        @Test
        void withNewsIsAnsweredAtOnce() {
            assertThat(polls.poll("a", LONG, new Caller(0))).isEqualTo(1);
            assertThat(polls.poll("a", Duration.ZERO, new Caller(0))).isEqualTo(1);
            assertThat(polls.waiting()).isZero();
        }

        @Test
        void withoutWaitIsAnsweredAtOnce() {
            assertThat(polls.poll("a", Duration.ZERO, new Caller(1))).isEqualTo("unchanged");
        }

        @Test
        void endsAfterItsWait() throws Exception {
            DeferredResult<?> other = waiting("a", 1);
            var response = (DeferredResult<?>) polls.poll("a", Duration.ofMillis(50), new Caller(1));

            awaitResult(response, "unchanged");
            assertThat(other.hasResult()).isFalse();
            assertThat(polls.waiting()).isOne();
        }

        @Test
        void hasNoTimeoutOfTheWebServer() {
            Long timeout = ReflectionTestUtils.invokeMethod(waiting("a", 1), "getTimeoutValue");

            assertThat(timeout).isZero();
        }

        @Test
        void waitsForAChangeOfItsKey() throws Exception {
            DeferredResult<?> a = waiting("a", 1);
            DeferredResult<?> b = waiting("b", 1);

            change("a", 2);

            awaitResult(a, 2);
            assertThat(b.hasResult()).isFalse();
            assertThat(polls.waiting()).isOne();
        }

        @Test
        void waitsOnIfTheValueIsTheSameAfterAChange() throws Exception {
            DeferredResult<?> response = waiting("a", 1);
            int before = reads.get();

            change("a", 1);
            await(() -> reads.get() > before);
            assertThat(response.hasResult()).isFalse();
            change("a", 3);

            awaitResult(response, 3);
        }

        @Test
        void causesNoReadIfTheValueWasReadAndHasNotChanged() {
            waiting("a", 1);
            waiting("a", 1);

            assertThat(reads).hasValue(1);
        }
    }

    @Nested
    class AChange {
        @Test
        void duringTheReadOfAPollIsNotMissed() throws Exception {
            afterRead = () -> {
                afterRead = () -> {};
                change("a", 2);
            };

            awaitResult(waiting("a", 1), 2);
        }

        @Test
        void isNotMissedByACallerWhoseKeyAnotherPollReads() throws Exception {
            DeferredResult<?> first = waiting("a", 1);
            versions.put("a", 2);
            var reading = new CountDownLatch(1);
            var proceed = new CountDownLatch(1);
            beforeRead = () -> {
                reading.countDown();
                awaitLatch(proceed);
            };
            polls.notifyChange("a");
            awaitLatch(reading);
            beforeRead = () -> {};

            assertThat(polls.poll("a", LONG, new Caller(1))).isEqualTo(2);
            proceed.countDown();

            awaitResult(first, 2);
        }

        @Test
        void duringACheckIsCheckedAfterIt() throws Exception {
            DeferredResult<?> a = waiting("a", 1);
            DeferredResult<?> b = waiting("b", 1);
            var reading = new CountDownLatch(1);
            var proceed = new CountDownLatch(1);
            beforeRead = () -> {
                reading.countDown();
                awaitLatch(proceed);
            };
            change("a", 2);
            awaitLatch(reading);
            int before = reads.get();

            change("b", 2);

            TimeUnit.MILLISECONDS.sleep(100);
            assertThat(reads.get()).as("one check at a time").isEqualTo(before);
            proceed.countDown();
            awaitResult(a, 2);
            awaitResult(b, 2);
        }

        @Test
        void ofAllKeysReachesAllCallers() throws Exception {
            DeferredResult<?> a = waiting("a", 1);
            DeferredResult<?> b = waiting("b", 1);
            versions.putAll(Map.of("a", 2, "b", 3));

            polls.notifyChange();

            awaitResult(a, 2);
            awaitResult(b, 3);
        }

        @Test
        void isFoundAfterAFailedRead() throws Exception {
            DeferredResult<?> response = waiting("a", 1);
            beforeRead = () -> {
                throw new IllegalStateException("the database is away");
            };
            int before = reads.get();
            change("a", 2);
            await(() -> reads.get() > before);
            beforeRead = () -> {};

            polls.notifyChange();

            awaitResult(response, 2);
        }

        @Test
        void answersOneThousandCallers() throws Exception {
            List<DeferredResult<?>> responses = new ArrayList<>();
            for (int caller = 0; caller < 1000; caller++) {
                responses.add(waiting("k" + caller % 10, 1));
            }
            assertThat(polls.waiting()).isEqualTo(1000);

            for (int key = 0; key < 10; key++) {
                versions.put("k" + key, 2);
            }
            polls.notifyChange();

            for (DeferredResult<?> response : responses) {
                awaitResult(response, 2);
            }
            assertThat(polls.waiting()).isZero();
        }

        @Test
        void reachesTheOthersWhileOneResponseIsSlow() throws Exception {
            var proceed = new CountDownLatch(1);
            DeferredResult<?> slow = (DeferredResult<?>) polls.poll("a", LONG, new LongPoll.Poll<>() {
                @Override
                public boolean isNews(Integer value) {
                    return value != 1;
                }

                @Override
                public Object response(Integer value) {
                    awaitLatch(proceed);
                    return value;
                }

                @Override
                public Object notModified() {
                    return "unchanged";
                }
            });
            DeferredResult<?> other = waiting("a", 1);

            change("a", 2);

            awaitResult(other, 2);
            assertThat(slow.hasResult()).isFalse();
            proceed.countDown();
            awaitResult(slow, 2);
        }
    }

    @Nested
    class TheLimit {
        @Test
        void rejectsFurtherCallersUntilOneHasLeft() throws Exception {
            polls = limitedTo(1);
            DeferredResult<?> first = waiting("a", 1);
            assertThatThrownBy(() -> waiting("b", 1))
                    .isInstanceOf(ProblemException.class)
                    .satisfies(problem -> assertThat(
                                    ((ProblemException) problem).getHeaders().getFirst("Retry-After"))
                            .isNotNull());

            change("a", 2);
            awaitResult(first, 2);

            assertThat(waiting("a", 2).hasResult()).isFalse();
        }
    }

    @Nested
    class Shutdown {
        @Test
        void endsAllWaits() {
            DeferredResult<?> response = waiting("a", 1);

            polls.close();

            assertThat(response.getResult()).isEqualTo("unchanged");
            assertThat(polls.waiting()).isZero();
            assertThat(polls.poll("a", LONG, new Caller(1))).isEqualTo("unchanged");
        }

        @Test
        void ofTheSchedulerLosesNoCaller() {
            DeferredResult<?> response = waiting("a", 1);
            scheduler.shutdown();

            change("a", 2);

            assertThat(response.getResult()).isEqualTo(2);
        }
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException stop) {
            throw new IllegalStateException(stop);
        }
    }
}
