package dev.spur.service.store;

import dev.spur.service.security.AccessScope;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The statements that are alike for every table of named resources. */
abstract class NamedResourceTable<T> implements NamedStore<T> {
    final JdbcClient jdbc;
    private final String select;
    private final String keep;
    private final String delete;
    private final String key;

    /**
     * @param table name of the table
     * @param key the column that holds the name
     * @param columns what is read, beside the version
     */
    NamedResourceTable(JdbcClient jdbc, String table, String key, String columns) {
        this.jdbc = jdbc;
        this.key = key;
        this.select = "select " + columns + ", version from " + table;
        this.keep = "select 1 from " + table + " where " + key + " = ? for key share";
        this.delete = "delete from " + table + " where " + key + " = ?";
    }

    abstract T read(ResultSet row) throws SQLException;

    /**
     * A condition that begins with {@code and} and keeps a list within reach; its parameters go to {@code parameters}.
     * Empty where nothing belongs to anybody.
     */
    String within(AccessScope reach, List<Object> parameters) {
        return "";
    }

    @Override
    public List<Versioned<T>> list(AccessScope reach, String after, int limit) {
        List<Object> parameters = new ArrayList<>(List.of(after));
        String within = within(reach, parameters);
        parameters.add(limit);
        return jdbc.sql(select + " where " + key + " > ?" + within + " order by " + key + " limit ?")
                .params(parameters)
                .query((row, index) -> versioned(row))
                .list();
    }

    /** Every resource, by {@code order}, one of the columns of the table. */
    List<T> all(String order) {
        return jdbc.sql(select + " order by " + order)
                .query((row, index) -> read(row))
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
     * True if there is a resource of that name; then it is not deleted before the transaction ends. For what is about
     * to refer to it: the foreign key would only fail. Not for what refers to it already and is locked, on which its
     * deletion would wait.
     */
    public boolean keep(String name) {
        return jdbc.sql(keep).param(name).query(Integer.class).optional().isPresent();
    }

    /** A resource that others refer to is kept by the foreign keys; the transaction is of no more use then. */
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
        return jdbc.sql(sql).param(name).query((row, index) -> versioned(row)).optional();
    }

    private Versioned<T> versioned(ResultSet row) throws SQLException {
        return new Versioned<>(read(row), row.getLong("version"));
    }
}
