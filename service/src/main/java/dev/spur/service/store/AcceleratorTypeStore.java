package dev.spur.service.store;

import dev.spur.model.cluster.AcceleratorType;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Accelerator types. */
@Repository
public class AcceleratorTypeStore extends Table<AcceleratorType> {
    AcceleratorTypeStore(JdbcClient jdbc) {
        super(jdbc, "accelerator_type", "name", "name, memory_gib");
    }

    @Override
    AcceleratorType read(ResultSet row) throws SQLException {
        return new AcceleratorType(row.getString("name"), row.getDouble("memory_gib"));
    }

    @Override
    public boolean insert(AcceleratorType type) {
        return jdbc.sql("insert into accelerator_type (name, memory_gib) values (?, ?) on conflict do nothing")
                        .params(type.name(), type.memoryGiB())
                        .update()
                == 1;
    }

    @Override
    public void replace(AcceleratorType type) {
        jdbc.sql("update accelerator_type set memory_gib = ?, version = version + 1 where name = ?")
                .params(type.memoryGiB(), type.name())
                .update();
    }
}
