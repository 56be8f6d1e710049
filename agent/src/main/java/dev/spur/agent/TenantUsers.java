package dev.spur.agent;

import dev.spur.agent.process.JobUser;
import dev.spur.agent.process.JobUsers;
import dev.spur.agent.process.RunSpec;
import dev.spur.agent.process.StateDirectory;
import dev.spur.agent.process.UserFolders;
import dev.spur.agent.reconcile.CheckpointStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Users of the processes of tenants, with their folders. Without users of its own, an agent uses the folders of all
 * tenants in common.
 */
final class TenantUsers implements CheckpointStore {
    private final JobUsers users;
    private final UserFolders folders;
    private final Path checkpoints;
    private final CheckpointStore own;

    /** @param checkpoints checkpoints of jobs that specify no folder */
    TenantUsers(JobUsers users, StateDirectory state, Path checkpoints) {
        this.users = users;
        this.folders = new UserFolders(state);
        this.checkpoints = checkpoints;
        this.own = CheckpointStore.of(checkpoints);
    }

    /**
     * Prepares the folders of a tenant.
     *
     * @return the owner of the runs of the tenant; null for the user of the agent
     * @throws IOException if the tenant has no user, or the user cannot work on this node
     */
    RunSpec.@Nullable Owner prepare(@Nullable String tenant) throws IOException {
        Optional<JobUser> user = users.of(tenant);
        if (user.isEmpty()) {
            return null;
        }
        Path work = folders.prepare(user.get(), Objects.requireNonNull(tenant));
        folders.prepareCheckpoints(user.get(), folder(tenant));
        return new RunSpec.Owner(user.get(), work.toString());
    }

    @Override
    public Path folder(@Nullable String tenant) {
        return user(tenant).isEmpty() ? checkpoints : UserFolders.of(checkpoints, Objects.requireNonNull(tenant));
    }

    @Override
    public List<String> generations(@Nullable String tenant, Path root) throws IOException {
        Optional<JobUser> user = user(tenant);
        return user.isPresent() ? UserFolders.generations(user.get(), root) : own.generations(tenant, root);
    }

    private Optional<JobUser> user(@Nullable String tenant) {
        try {
            return users.of(tenant);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
