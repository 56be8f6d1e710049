package dev.spur.service.database;

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
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Statements that are sent to the database in one round trip, which takes longer than most of them. They are executed
 * in order, each as if it was sent alone. Each statement waits for the locks of the statements before it, and reads
 * what was committed by then. Requires a transaction: without one, the locks of the first statements would be released
 * before the caller uses the results of the last.
 */
public final class StatementBatch {
    /**
     * First statement of a transaction that reads the database as of one moment. As a setting of the connection it
     * would cost one round trip to read, one to set and one to reset.
     */
    public static final String AS_OF_ONE_MOMENT = "set transaction isolation level repeatable read";

    private final NamedParameterJdbcOperations jdbc;
    private final List<Query<?>> statements = new ArrayList<>();
    private final Map<String, @Nullable Object> parameters = new HashMap<>();

    public StatementBatch(NamedParameterJdbcOperations jdbc) {
        this.jdbc = jdbc;
    }

    /** Binds a parameter for all statements that contain it. */
    public StatementBatch with(String name, @Nullable Object value) {
        parameters.put(name, value);
        return this;
    }

    /** Adds a statement without a result. */
    public StatementBatch add(String statement) {
        statements.add(new Query<>(statement, null));
        return this;
    }

    /** Adds a query. Its result is available after {@link #execute} has returned. */
    public <T> Query<T> query(String sql, RowMapper<T> reader) {
        Query<T> query = new Query<>(sql, reader);
        statements.add(query);
        return query;
    }

    /**
     * Executes the statements in the order in which they were added.
     *
     * @throws IllegalTransactionStateException without a transaction
     */
    public void execute() {
        if (!TransactionSynchronizationManager.isActualTransactionActive()) {
            throw new IllegalTransactionStateException("A batch of statements was executed without a transaction."
                    + " Call it from a method with @Transactional.");
        }
        String all = statements.stream().map(query -> query.sql).collect(Collectors.joining(";\n"));
        jdbc.execute(all, parameters, statement -> {
            boolean hasRows = statement.execute();
            for (Query<?> query : statements) {
                if (hasRows) {
                    query.read(statement);
                }
                hasRows = statement.getMoreResults();
            }
            return true;
        });
    }

    /** Statement with its result. */
    public static final class Query<T> {
        private final String sql;
        private final @Nullable RowMapper<T> reader;
        private final List<T> rows = new ArrayList<>();

        private Query(String sql, @Nullable RowMapper<T> reader) {
            this.sql = sql;
            this.reader = reader;
        }

        private void read(PreparedStatement statement) throws SQLException {
            if (reader == null) {
                throw new IllegalStateException("statement without a row reader returned rows: " + sql);
            }
            try (ResultSet row = statement.getResultSet()) {
                while (row.next()) {
                    rows.add(reader.mapRow(row, rows.size()));
                }
            }
        }

        /** Returns the rows. */
        public List<T> rows() {
            return rows;
        }

        /** Returns the first row, if there is one. */
        public Optional<T> first() {
            return rows.stream().findFirst();
        }
    }
}
