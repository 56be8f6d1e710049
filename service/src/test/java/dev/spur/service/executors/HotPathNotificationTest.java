package dev.spur.service.executors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.database.NotificationChannel;
import java.lang.reflect.Field;
import java.sql.Connection;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.springframework.beans.factory.annotation.Autowired;

/** Transactions with notifications commit one after the other, so those of each job must not have any. */
class HotPathNotificationTest extends ExecutorsTest {
    private static final int WAIT_MILLIS = 300;
    /** Sent in a transaction of its own, once for several changes. */
    private static final Set<String> COLLECTED = Set.of(NotificationChannel.CHANGED);

    @Autowired
    private DataSource database;

    @Test
    void aSubmissionTheStepsOfAnAssignmentOnOneNodeAndAReportSendNone() throws Exception {
        try (Connection listener = database.getConnection();
                Statement statement = listener.createStatement()) {
            for (Field channel : NotificationChannel.class.getFields()) {
                statement.execute("listen " + channel.get(null));
            }
            String job = placed(piece("n1", "d0"));
            assertThat(received(listener)).as("a plan").isNotEmpty();

            api.post("/api/v1/jobs", """
                            {"name": "another", "spec": {"work": {"amount": 100}, "batch": {"initial": 8}}}
                            """).is(201);
            run(job, one);
            measured(job, 1, 640, 1).is(200);

            assertThat(received(listener)).isEmpty();
            statement.execute("unlisten *");
        }
    }

    private static List<String> received(Connection listener) throws Exception {
        PGConnection connection = listener.unwrap(PGConnection.class);
        Stream<PGNotification> all = Stream.of();
        for (PGNotification[] some = connection.getNotifications(WAIT_MILLIS);
                some != null && some.length > 0;
                some = connection.getNotifications(WAIT_MILLIS)) {
            all = Stream.concat(all, Arrays.stream(some));
        }
        return all.map(PGNotification::getName)
                .filter(channel -> !COLLECTED.contains(channel))
                .toList();
    }
}
