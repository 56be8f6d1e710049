package dev.spur.service.resource;

import dev.spur.service.database.RecordMapper;
import dev.spur.service.security.AccessScope;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** Statements that are the same for every table of named resources. */
public abstract class NamedResourceTable<T extends Record> implements NamedStore<T> {
    protected final JdbcClient jdbc;
    private final Class<T> type;
    private final String select;
    private final String keep;
    private final String delete;
    private final String key;

    /**
     * Creates the statements.
     *
     * @param type type of the resources, whose components are columns
     * @param table name of the table
     * @param key column that contains the name
     * @param columns columns to read in addition to the version
     */
    protected NamedResourceTable(JdbcClient jdbc, Class<T> type, String table, String key, String columns) {
        this.jdbc = jdbc;
        this.type = type;
        this.key = key;
        this.select = "select " + columns + ", version from " + table;
        this.keep = "select 1 from " + table + " where " + key + " = ? for key share";
        this.delete = "delete from " + table + " where " + key + " = ?";
    }

    /**
     * Returns a condition, beginning with {@code and}, that restricts a list to the scope, and adds its values to
     * {@code parameters}. The condition is empty for resources that belong to no tenant.
     */
    protected String within(AccessScope reach, List<Object> parameters) {
        return "";
    }

    @Override
    public List<Versioned<T>> list(AccessScope reach, String after, int limit) {
        List<Object> parameters = new ArrayList<>(List.of(after));
        String within = within(reach, parameters);
        parameters.add(limit);
        return jdbc.sql(select + " where " + key + " > ?" + within + " order by " + key + " limit ?")
                .params(parameters)
                .query(versioned())
                .list();
    }

    /** Returns every resource, sorted by {@code order}, a column of the table. */
    public List<T> all(String order) {
        return jdbc.sql(select + " order by " + order)
                .query(RecordMapper.of(type))
                .list();
    }

    @Override
    public Optional<Versioned<T>> find(String name) {
        return one(select + " where " + key + " = ?", name);
    }

    @Override
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
        return jdbc.sql(keep).param(name).query(Integer.class).optional().isPresent();
    }

    /** {@inheritDoc} The foreign keys protect a resource that is in use. The transaction must be rolled back then. */
    @Override
    public boolean delete(String name) {
        try {
            jdbc.sql(delete).param(name).update();
            return true;
        } catch (DataIntegrityViolationException e) {
            return false;
        }
    }

    private Optional<Versioned<T>> one(String sql, String name) {
        return jdbc.sql(sql).param(name).query(versioned()).optional();
    }

    private RowMapper<Versioned<T>> versioned() {
        RecordMapper<T> mapper = RecordMapper.of(type);
        return (row, index) -> new Versioned<>(mapper.mapRow(row, index), row.getLong("version"));
    }
}
