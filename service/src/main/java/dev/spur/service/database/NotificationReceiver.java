package dev.spur.service.database;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Receives notifications on one connection outside the pool. When the connection breaks, the receiver opens a new one.
 * Listeners then read the rows again, since PostgreSQL keeps no notifications for closed connections.
 */
@Component
class NotificationReceiver {
    private static final Logger LOG = LoggerFactory.getLogger(NotificationReceiver.class);
    private static final int POLL_MILLIS = 500;
    private static final long RETRY_MILLIS = 500;
    private static final long PROBE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final JdbcConnectionDetails details;
    private final List<NotificationListener> listeners;
    private @Nullable Thread thread;
    private volatile boolean running;

    NotificationReceiver(JdbcConnectionDetails details, List<NotificationListener> listeners) {
        this.details = details;
        this.listeners = List.copyOf(listeners);
    }

    @EventListener(ContextRefreshedEvent.class)
    void start() {
        running = true;
        thread = DaemonThreads.thread("spur-listen", this::listen);
        thread.start();
    }

    @EventListener(ContextClosedEvent.class)
    void stop() {
        running = false;
        if (thread != null) {
            thread.interrupt();
        }
    }

    private void listen() {
        while (running) {
            try (Connection connection = connect()) {
                listeners.forEach(NotificationListener::onReconnect);
                receive(connection);
            } catch (SQLException broken) {
                if (running) {
                    LOG.warn("the notification connection is lost and will be opened again: {}", broken.getMessage());
                    pause();
                }
            }
        }
    }

    private Connection connect() throws SQLException {
        Properties properties = new Properties();
        String user = details.getUsername();
        String password = details.getPassword();
        if (user != null && !user.isEmpty()) {
            properties.setProperty("user", user);
            properties.setProperty("password", password == null ? "" : password);
        }
        properties.setProperty("ApplicationName", "spur-listen");
        properties.setProperty("connectTimeout", "5");
        properties.setProperty("tcpKeepAlive", "true");
        Connection connection = DriverManager.getConnection(details.getJdbcUrl(), properties);
        try (Statement statement = connection.createStatement()) {
            for (NotificationListener listener : listeners) {
                statement.execute("listen " + listener.channel());
            }
        }
        return connection;
    }

    private void receive(Connection connection) throws SQLException {
        PGConnection postgres = connection.unwrap(PGConnection.class);
        long probed = System.nanoTime();
        while (running) {
            PGNotification[] notifications = postgres.getNotifications(POLL_MILLIS);
            for (PGNotification notification : notifications == null ? new PGNotification[0] : notifications) {
                dispatch(notification);
            }
            if (System.nanoTime() - probed > PROBE_NANOS) {
                if (!connection.isValid(5)) {
                    throw new SQLException("the database server does not answer");
                }
                probed = System.nanoTime();
            }
        }
    }

    private void dispatch(PGNotification notification) {
        for (NotificationListener listener : listeners) {
            if (listener.channel().equals(notification.getName())) {
                listener.onNotification(notification.getParameter());
            }
        }
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(RETRY_MILLIS);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }
}
