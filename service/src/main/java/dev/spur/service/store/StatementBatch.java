package dev.spur.service.store;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcOperations;

/**
 * Several statements that go to the database together, since the way there takes longer than most of them. They are
 * executed one after the other, as if each had been sent by itself: it waits for the locks of those before it, and sees
 * what was committed by then. Belongs into a transaction.
 */
final class StatementBatch {
    private final NamedParameterJdbcOperations jdbc;
    private final List<Query<?>> stops = new ArrayList<>();
    private final Map<String, @Nullable Object> parameters = new HashMap<>();

    StatementBatch(NamedParameterJdbcOperations jdbc) {
        this.jdbc = jdbc;
    }

    /** The value of a parameter of all statements that name it. */
    StatementBatch with(String name, @Nullable Object value) {
        parameters.put(name, value);
        return this;
    }

    /** Adds a statement that answers nothing. */
    StatementBatch tell(String statement) {
        stops.add(new Query<>(statement, null));
        return this;
    }

    /** Adds a question. Its answer is there once {@link #go} has returned. */
    <T> Query<T> ask(String query, RowMapper<T> reader) {
        Query<T> stop = new Query<>(query, reader);
        stops.add(stop);
        return stop;
    }

    /** Executes the statements in the order in which they were added. */
    void go() {
        String all = stops.stream().map(stop -> stop.sql).collect(Collectors.joining(";\n"));
        jdbc.execute(all, parameters, statement -> {
            boolean hasRows = statement.execute();
            for (Query<?> stop : stops) {
                if (hasRows) {
                    stop.read(statement);
                }
                hasRows = statement.getMoreResults();
            }
            return true;
        });
    }

    /** A statement on the way, and what it has answered. */
    static final class Query<T> {
        private final String sql;
        private final @Nullable RowMapper<T> reader;
        private final List<T> rows = new ArrayList<>();

        private Query(String sql, @Nullable RowMapper<T> reader) {
            this.sql = sql;
            this.reader = reader;
        }

        private void read(PreparedStatement statement) throws SQLException {
            if (reader == null) {
                throw new IllegalStateException("nobody has asked for the rows of: " + sql);
            }
            try (ResultSet row = statement.getResultSet()) {
                while (row.next()) {
                    rows.add(reader.mapRow(row, rows.size()));
                }
            }
        }

        /** The rows. */
        List<T> rows() {
            return rows;
        }

        /** The first row, if there is one. */
        Optional<T> first() {
            return rows.stream().findFirst();
        }
    }
}
