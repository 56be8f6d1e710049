package dev.spur.agent.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Users that run the processes of tenants. An agent that runs as root uses, in this order: the user that is stated for
 * the tenant, the user that is stated for all tenants, the user {@code spur-TENANT}, the user {@code spur-jobs}. It
 * starts no process of a tenant that has none of them. On the machine of the service it runs all processes as root if
 * no user is stated and no such user exists. Any other agent runs all processes as its own user.
 */
public final class JobUsers {
    private static final String PREFIX = "spur-";
    private static final String COMMON = "spur-jobs";
    /** User that every system has for processes without rights. */
    private static final String UNPRIVILEGED_USER = "nobody";

    /** Names of tenants, which are also names of folders. */
    private static final Pattern TENANT = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:+@-]*");

    private static final Path STATUS = Path.of("/proc/self/status");
    private static final Path ACCOUNTS = Path.of("/etc/passwd");

    /** Key of the user of all tenants, which is no name of a tenant. */
    private static final String ALL = "";

    private final Map<String, StatedUser> byTenant;
    private final boolean asRoot;
    /** True if processes run as root because nothing else is stated. */
    private final boolean isUnprotected;
    /** First user of each primary group. */
    private final Map<Long, String> groups = new HashMap<>();

    private JobUsers(Map<String, StatedUser> byTenant, boolean asRoot, boolean isUnprotected) {
        this.byTenant = Map.copyOf(byTenant);
        this.asRoot = asRoot;
        this.isUnprotected = isUnprotected;
    }

    /** A user by an option; null for the user of the agent. */
    private record StatedUser(@Nullable JobUser user) {}

    /**
     * Returns the users by options of the form {@code NAME} or {@code TENANT=NAME}.
     *
     * @param isLocal whether the service is on this machine
     * @throws IllegalArgumentException if a user does not exist, or the agent cannot run processes as this user
     * @throws IOException if the users cannot be read
     */
    public static JobUsers parse(Collection<String> options, boolean isLocal) throws IOException {
        boolean asRoot = isRoot();
        if (asRoot && isLocal && options.isEmpty() && !hasUsersOfJobs()) {
            return new JobUsers(Map.of(ALL, new StatedUser(null)), true, true);
        }
        String self = System.getProperty("user.name");
        Map<String, StatedUser> byTenant = new HashMap<>();
        for (String option : options) {
            int equals = option.indexOf('=');
            String tenant = equals < 0 ? ALL : option.substring(0, equals);
            if (byTenant.put(tenant, find(option.substring(equals + 1), self, asRoot)) != null) {
                throw new IllegalArgumentException("--user states several users for %s"
                        .formatted(equals < 0 ? "all tenants" : "tenant " + tenant));
            }
        }
        JobUsers users = new JobUsers(byTenant, asRoot, false);
        for (StatedUser stated : byTenant.values()) {
            users.requireOwnGroup(stated.user());
        }
        return users;
    }

    /** Returns true if the effective user of this process is root. */
    private static boolean isRoot() throws IOException {
        return Files.readAllLines(STATUS).stream().anyMatch(line -> line.matches("Uid:\\s+\\d+\\s+0\\s.*"));
    }

    private static boolean hasUsersOfJobs() throws IOException {
        return JobUser.find(COMMON).isPresent()
                || Files.readAllLines(ACCOUNTS).stream().anyMatch(line -> line.startsWith(PREFIX));
    }

    private static StatedUser find(String name, String self, boolean asRoot) throws IOException {
        if (name.equals(self)) {
            return new StatedUser(null);
        }
        Optional<JobUser> user = JobUser.find(name);
        if (user.isEmpty()) {
            throw new IllegalArgumentException("--user: the user \"%s\" does not exist on this node".formatted(name));
        }
        if (!asRoot) {
            throw new IllegalArgumentException(
                    "--user: only an agent that runs as root can run jobs as the user \"%s\"; this one runs as \"%s\""
                            .formatted(name, self));
        }
        return new StatedUser(user.get());
    }

    /** Returns true if processes of some tenants may run as other users than that of the agent. */
    public boolean areSeparate() {
        return asRoot
                && (!byTenant.containsKey(ALL) || byTenant.values().stream().anyMatch(stated -> stated.user() != null));
    }

    /**
     * Returns what the users of jobs do not protect, as a text for operators: jobs that run as root, or tenants without
     * a user; empty if each tenant has one.
     *
     * @throws IOException if the users cannot be read
     */
    public Optional<String> warning() throws IOException {
        if (isUnprotected) {
            return Optional.of(
                    "jobs run as root and can read the token of this agent: no user %s or %sTENANT existed at its start. Create one and restart the agent, or state --user root"
                            .formatted(COMMON, PREFIX));
        }
        return !areSeparate()
                        || byTenant.containsKey(ALL)
                        || JobUser.find(COMMON).isPresent()
                ? Optional.empty()
                : Optional.of(
                        "only tenants with a user spur-TENANT or --user can run jobs: the user %s does not exist, and --user root is not set"
                                .formatted(COMMON));
    }

    /**
     * Returns the user of a tenant; empty for the user of the agent.
     *
     * @param tenant name of the tenant; null if it is not known, as of a job that must not start
     * @throws IOException if there is none, or it shares its primary group with another user of jobs; the message
     *     contains the remedy
     */
    public Optional<JobUser> of(@Nullable String tenant) throws IOException {
        if (!areSeparate()) {
            return Optional.empty();
        }
        if (tenant == null || !TENANT.matcher(tenant).matches()) {
            throw new IOException("no user runs jobs of an unknown tenant (%s)".formatted(tenant));
        }
        StatedUser stated = byTenant.getOrDefault(tenant, byTenant.get(ALL));
        JobUser user = stated == null ? byConvention(tenant) : stated.user();
        requireOwnGroup(user);
        return Optional.ofNullable(user);
    }

    /**
     * Returns the user of processes that serve several tenants; empty for the user of the agent.
     *
     * @throws IOException if the user does not exist
     */
    public Optional<JobUser> ofNoTenant() throws IOException {
        if (!areSeparate()) {
            return Optional.empty();
        }
        Optional<JobUser> user = JobUser.find(UNPRIVILEGED_USER);
        if (user.isEmpty()) {
            throw new IOException("the user %s, which runs aggregators, does not exist on this node: create it"
                    .formatted(UNPRIVILEGED_USER));
        }
        return user;
    }

    private static JobUser byConvention(String tenant) throws IOException {
        for (String name : List.of(PREFIX + tenant, COMMON)) {
            Optional<JobUser> user = JobUser.find(name);
            if (user.isPresent()) {
                return user.get();
            }
        }
        throw new IOException(
                "no user runs jobs of tenant \"%s\" on this node: create the user %s or %s, or state one by --user"
                        .formatted(tenant, PREFIX + tenant, COMMON));
    }

    /** The primary group of a user separates the folders of its runs from other users. */
    private void requireOwnGroup(@Nullable JobUser user) throws IOException {
        if (user != null) {
            String first = groups.computeIfAbsent(user.gid(), gid -> user.name());
            if (!first.equals(user.name())) {
                throw new IOException(
                        "the users %s and %s have the same primary group %d: each user of jobs requires its own"
                                .formatted(first, user.name(), user.gid()));
            }
        }
    }
}
