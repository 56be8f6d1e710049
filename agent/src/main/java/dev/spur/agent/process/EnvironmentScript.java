package dev.spur.agent.process;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Commands of a shell that set the variables and the working directory of a process of another user. The process runs
 * them itself: as its user it can enter only the folders of this user.
 */
final class EnvironmentScript {
    /** Names that a shell can export; the agent can inherit others. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    /** Variables of the session of the agent. */
    private static final Set<String> SESSION =
            Set.of("MAIL", "PWD", "OLDPWD", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS", "SSH_AUTH_SOCK");
    /** Variables that bash does not let a script set. */
    private static final Set<String> READ_ONLY =
            Set.of("BASHOPTS", "BASH_VERSINFO", "EUID", "PPID", "SHELLOPTS", "UID");

    private final JobUser user;
    private final Map<String, String> inherited;

    /** @param inherited variables of the agent that jobs inherit */
    EnvironmentScript(JobUser user, Map<String, String> inherited) {
        this.user = user;
        this.inherited = Map.copyOf(inherited);
    }

    /**
     * Returns the commands.
     *
     * @param own variables of the process, which override those of the user
     * @param last variables that override all others
     */
    String text(Map<String, String> own, Map<String, String> last, String workdir) {
        Map<String, String> all = new TreeMap<>(inherited);
        all.keySet().removeAll(SESSION);
        List.of("USER", "LOGNAME").forEach(name -> all.put(name, user.name()));
        all.put("HOME", user.home());
        all.putAll(own);
        all.putAll(last);
        StringBuilder text = new StringBuilder();
        all.forEach((name, value) -> {
            if (NAME.matcher(name).matches() && !READ_ONLY.contains(name)) {
                text.append("export ")
                        .append(name)
                        .append('=')
                        .append(quote(value))
                        .append('\n');
            }
        });
        String failure = "spur: the process could not start: the user %s cannot enter the working directory %s"
                .formatted(user.name(), workdir);
        return text.append("cd -- %s || { echo %s >&2; exit 1; }".formatted(quote(workdir), quote(failure)))
                .toString();
    }

    private static String quote(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }
}
