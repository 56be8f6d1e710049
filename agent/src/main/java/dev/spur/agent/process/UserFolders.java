package dev.spur.agent.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;

/** Folders of the users of jobs: one for each tenant, which only its user can enter. */
public final class UserFolders {
    private final StateDirectory state;

    public UserFolders(StateDirectory state) {
        this.state = state;
    }

    /** Returns the folder of a tenant below {@code parent}. */
    public static Path of(Path parent, String tenant) {
        return parent.resolve(tenant);
    }

    /**
     * Creates the folder of a tenant for jobs without a working directory, and returns it.
     *
     * @throws IOException if the folder belongs to another user, or the user cannot use the state directory
     */
    public Path prepare(JobUser user, String tenant) throws IOException {
        Path work = of(state.work(), tenant);
        Folders.createFor(user, work);
        try {
            user.run(List.of(
                    "sh",
                    "-c",
                    // the first lease comes after the start of the agent
                    "cd -- \"$1\" && { [ ! -e \"$2\" ] || test -r \"$2\"; }",
                    "sh",
                    work.toString(),
                    state.lease().toString()));
        } catch (IOException e) {
            throw new IOException(
                    "the user %s cannot use %s: set --state to a folder that this user can reach, such as /var/lib/spur-agent; %s"
                            .formatted(user.name(), state.work(), e.getMessage()),
                    e);
        }
        return work;
    }

    /**
     * Creates the checkpoint folder of a tenant. Where others than root can change its parent, the user itself creates
     * it.
     *
     * @throws IOException if the folder belongs to another user, or cannot be created
     */
    public void prepareCheckpoints(JobUser user, Path folder) throws IOException {
        if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            try {
                Folders.createParent(folder);
                Folders.requireUnchangeable(Folders.parent(folder));
            } catch (IOException changeable) {
                user.createFolders(folder.toString());
            }
        }
        Folders.createFor(user, folder);
    }

    /**
     * Returns the names of the folders in {@code root} that begin with {@code gen-} and are not empty, as this user.
     */
    public static List<String> generations(JobUser user, Path root) throws IOException {
        String list =
                "[ ! -d \"$1\" ] || exec find \"$1/\" -mindepth 1 -maxdepth 1 -name 'gen-*' -type d ! -empty -printf '%f\\n'";
        return user.run(List.of("sh", "-c", list, "sh", root.toString()))
                .lines()
                .toList();
    }
}
