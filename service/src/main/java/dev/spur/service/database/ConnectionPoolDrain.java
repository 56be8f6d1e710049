package dev.spur.service.database;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import jakarta.annotation.PreDestroy;
import java.util.concurrent.TimeUnit;
import org.springframework.stereotype.Component;

/**
 * Waits for open database transactions at shutdown, after all background work and before the pool closes. When the pool
 * closes, it cuts off connections that are in use. That breaks work that would have ended within a moment.
 */
@Component
class ConnectionPoolDrain {
    private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long LOOK_MILLIS = 10;

    private final HikariDataSource pool;

    ConnectionPoolDrain(HikariDataSource pool) {
        this.pool = pool;
    }

    @PreDestroy
    void awaitTransactions() {
        long end = System.nanoTime() + TIMEOUT_NANOS;
        HikariPoolMXBean connections = pool.getHikariPoolMXBean();
        try {
            while (connections != null && connections.getActiveConnections() > 0 && System.nanoTime() < end) {
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            }
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
        }
    }
}
