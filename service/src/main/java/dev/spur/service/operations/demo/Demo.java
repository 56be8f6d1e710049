package dev.spur.service.operations.demo;

import dev.spur.service.database.DaemonThreads;
import dev.spur.service.jobs.JobStore;
import dev.spur.service.web.access.InternalToken;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/** Runs the demo in the background from the time the service is ready until it stops. */
@Component
@ConditionalOnProperty("spur.demo")
class Demo {
    private static final Logger LOG = LoggerFactory.getLogger(Demo.class);
    private static final long RETRY_SECONDS = 2;
    private static final long PREPARATION_SECONDS = 10;

    private final Environment environment;
    private final InternalToken token;
    private final JobStore jobs;
    private @Nullable Thread thread;
    private volatile boolean stopped;
    /** Reaches 0 after the first attempt to register the cluster, whether it succeeded or failed. */
    private final CountDownLatch attempted = new CountDownLatch(1);

    Demo(Environment environment, InternalToken token, JobStore jobs) {
        this.environment = environment;
        this.token = token;
        this.jobs = jobs;
    }

    /**
     * Starts the demo and waits until its cluster is registered, so that a service that reports ready accepts the first
     * job.
     */
    @EventListener(ApplicationReadyEvent.class)
    void begin() throws InterruptedException {
        thread = DaemonThreads.thread("spur-demo", this::play);
        thread.start();
        attempted.await(PREPARATION_SECONDS, TimeUnit.SECONDS);
    }

    @EventListener(ContextClosedEvent.class)
    void end() {
        stopped = true;
        if (thread != null) {
            thread.interrupt();
        }
    }

    /** Whether the demo thread is running. */
    boolean isPlaying() {
        return thread != null && thread.isAlive();
    }

    private void play() {
        DemoClient client = new DemoClient(address(), token.header());
        DemoExecutor executor = new DemoExecutor(client, jobs, System::nanoTime);
        DemoCluster cluster = new DemoCluster(client);
        boolean prepared = false;
        while (!stopped) {
            try {
                if (!prepared) {
                    if (!cluster.isDesired()) {
                        LOG.warn("the demo does not start, because other nodes are registered; "
                                + "set SPUR_HOME to another directory to run it");
                        attempted.countDown();
                        return;
                    }
                    cluster.prepare();
                    prepared = true;
                    attempted.countDown();
                    LOG.info("the demo has registered a cluster and submitted jobs; their profiles are synthetic, and "
                            + "a simulated executor reports their progress");
                }
                executor.step();
                cluster.topUp();
            } catch (InterruptedException stop) {
                return;
            } catch (IOException | RuntimeException failure) {
                attempted.countDown();
                pauseAfter(failure);
            }
        }
    }

    private void pauseAfter(Exception failure) {
        if (stopped) {
            return;
        }
        LOG.warn("a step of the demo failed; retrying in {} s: {}", RETRY_SECONDS, failure.getMessage());
        try {
            TimeUnit.SECONDS.sleep(RETRY_SECONDS);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    private String address() {
        String port = environment.getRequiredProperty("local.server.port");
        String bound = environment.getProperty("server.address", "127.0.0.1");
        return "http://%s:%s".formatted(reachable(bound), port);
    }

    private static String reachable(String bound) {
        try {
            InetAddress address = InetAddress.getByName(bound);
            String host = address.isAnyLocalAddress() ? "127.0.0.1" : address.getHostAddress();
            return host.contains(":") ? "[" + host + "]" : host;
        } catch (UnknownHostException unknown) {
            return bound;
        }
    }
}
