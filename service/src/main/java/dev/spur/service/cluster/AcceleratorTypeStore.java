package dev.spur.service.cluster;

import dev.spur.model.cluster.AcceleratorType;
import dev.spur.service.resource.NamedResourceTable;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Accelerator types. */
@Repository
public class AcceleratorTypeStore extends NamedResourceTable<AcceleratorType> {
    public AcceleratorTypeStore(JdbcClient jdbc) {
        super(jdbc, "accelerator_type", "name", "name, memory_gib, max_all_reduce_slots");
    }

    @Override
    protected AcceleratorType read(ResultSet row) throws SQLException {
        return new AcceleratorType(
                row.getString("name"),
                row.getDouble("memory_gib"),
                row.getObject("max_all_reduce_slots", Integer.class));
    }

    @Override
    public boolean insert(AcceleratorType type) {
        return jdbc.sql("""
                        insert into accelerator_type (name, memory_gib, max_all_reduce_slots) values (?, ?, ?)
                        on conflict do nothing
                        """)
                        .param(type.name())
                        .param(type.memoryGiB())
                        .param(type.maxAllReduceSlots())
                        .update()
                == 1;
    }

    @Override
    public void replace(AcceleratorType type) {
        jdbc.sql("""
                        update accelerator_type set memory_gib = ?, max_all_reduce_slots = ?, version = version + 1
                        where name = ?
                        """)
                .param(type.memoryGiB())
                .param(type.maxAllReduceSlots())
                .param(type.name())
                .update();
    }
}
