package dev.spur.service.database;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import java.util.concurrent.TimeUnit;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Waits for open database transactions at shutdown; stops last. When the pool closes, it cuts off connections that are
 * in use. That breaks work that would have ended within a moment.
 */
@Component
class ConnectionPoolDrain implements SmartLifecycle {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long LOOK_MILLIS = 10;

    private final HikariDataSource pool;
    private volatile boolean running;

    ConnectionPoolDrain(HikariDataSource pool) {
        this.pool = pool;
    }

    @Override
    public void start() {
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        long end = System.nanoTime() + PATIENCE_NANOS;
        HikariPoolMXBean connections = pool.getHikariPoolMXBean();
        try {
            while (connections != null && connections.getActiveConnections() > 0 && System.nanoTime() < end) {
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            }
        } catch (InterruptedException impatient) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return Integer.MIN_VALUE;
    }
}
