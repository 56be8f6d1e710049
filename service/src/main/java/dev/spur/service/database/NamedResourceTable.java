package dev.spur.service.database;

import dev.spur.service.security.AccessScope;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.postgresql.util.PSQLException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/**
 * Table of resources with a name that the caller chooses. Each resource is a record, whose components are the columns.
 */
public abstract class NamedResourceTable<T extends Record> {
    protected final JdbcClient jdbc;
    private final Class<T> type;
    private final String table;
    private final String key;
    private final String select;
    /** Columns of the table, each with the name under which it is read. */
    private final Map<String, String> columns = new LinkedHashMap<>();

    /**
     * Creates the statements.
     *
     * @param key column that contains the name
     * @param columns columns besides the version, separated by commas; {@code starts_at as start} is the column of
     *     component {@code start}
     */
    protected NamedResourceTable(JdbcClient jdbc, Class<T> type, String table, String key, String columns) {
        this.jdbc = jdbc;
        this.type = type;
        this.table = table;
        this.key = key;
        this.select = "select " + columns + ", version from " + table;
        for (String column : columns.split(",\\s*", -1)) {
            String[] names = column.split(" as ", 2);
            this.columns.put(names[0], names[names.length - 1]);
        }
    }

    /**
     * Returns a condition, beginning with {@code and}, that restricts a list to the scope, and adds its values to
     * {@code parameters}. The condition is empty for resources that belong to no tenant.
     */
    protected String within(AccessScope reach, List<Object> parameters) {
        return "";
    }

    /** Returns the first {@code limit} resources within the scope whose name comes after {@code after}, by name. */
    public List<Versioned<T>> list(AccessScope reach, String after, int limit) {
        List<Object> parameters = new ArrayList<>(List.of(after));
        String within = within(reach, parameters);
        parameters.add(limit);
        return jdbc.sql(select + " where " + key + " > ?" + within + " order by " + key + " limit ?")
                .params(parameters)
                .query(versionedMapper())
                .list();
    }

    /** Returns every resource, sorted by {@code order}, a column of the table. */
    public List<T> all(String order) {
        return jdbc.sql(select + " order by " + order)
                .query(RecordMapper.of(type))
                .list();
    }

    /** Returns the resource with this name. */
    public Optional<Versioned<T>> find(String name) {
        return one(select + " where " + key + " = ?", name);
    }

    /** Returns the resource with this name and locks it until the transaction ends. */
    @Transactional(propagation = Propagation.MANDATORY)
    public Optional<Versioned<T>> lock(String name) {
        return one(select + " where " + key + " = ? for update", name);
    }

    /**
     * Returns true if the resource exists, and prevents its deletion until the transaction ends. For callers that are
     * about to refer to the resource, where the foreign key would otherwise fail. Not for rows that already refer to it
     * and are locked, since a concurrent deletion would wait for them.
     */
    @Transactional(propagation = Propagation.MANDATORY)
    public boolean keep(String name) {
        return jdbc.sql("select 1 from " + table + " where " + key + " = ? for key share")
                .param(name)
                .query(Integer.class)
                .optional()
                .isPresent();
    }

    /** Adds a resource with version 1. Returns false if the name exists. */
    @Transactional(propagation = Propagation.MANDATORY)
    public boolean insert(T value) {
        String values = columns.values().stream().map(name -> ":" + name).collect(Collectors.joining(", "));
        return statement(
                                value,
                                "insert into %s (%s) values (%s) on conflict do nothing"
                                        .formatted(table, String.join(", ", columns.keySet()), values))
                        .update()
                == 1;
    }

    /** Replaces the resource of the same name and raises its version. */
    @Transactional(propagation = Propagation.MANDATORY)
    public void replace(T value) {
        String changes = columns.entrySet().stream()
                .filter(column -> !column.getKey().equals(key))
                .map(column -> column.getKey() + " = :" + column.getValue())
                .collect(Collectors.joining(", "));
        statement(
                        value,
                        "update %s set %s, version = version + 1 where %s = :%s"
                                .formatted(table, changes, key, columns.get(key)))
                .update();
    }

    private JdbcClient.StatementSpec statement(T value, String sql) {
        return jdbc.sql(sql).params(RecordMapper.parameters(value, columns.values()));
    }

    /**
     * Deletes a resource. Returns which resources refer to it, in words; empty if it is deleted. The foreign keys
     * protect a resource that is in use. The transaction must be rolled back then.
     */
    @Transactional(propagation = Propagation.MANDATORY)
    public Optional<String> delete(String name) {
        try {
            jdbc.sql("delete from " + table + " where " + key + " = ?")
                    .param(name)
                    .update();
            return Optional.empty();
        } catch (DataIntegrityViolationException e) {
            return Optional.of(describeUsers(e));
        }
    }

    /** Returns the resources of the table of the violated foreign key, in words. */
    private static String describeUsers(DataIntegrityViolationException violation) {
        String users =
                violation.getMostSpecificCause() instanceof PSQLException cause && cause.getServerErrorMessage() != null
                        ? cause.getServerErrorMessage().getTable()
                        : null;
        if (users == null) {
            return "other resources";
        }
        return users.equals("job") ? "jobs, also those that have ended," : users.replace('_', ' ') + "s";
    }

    private Optional<Versioned<T>> one(String sql, String name) {
        return jdbc.sql(sql).param(name).query(versionedMapper()).optional();
    }

    private RowMapper<Versioned<T>> versionedMapper() {
        RecordMapper<T> mapper = RecordMapper.of(type);
        return (row, index) -> new Versioned<>(mapper.mapRow(row, index), row.getLong("version"));
    }
}
