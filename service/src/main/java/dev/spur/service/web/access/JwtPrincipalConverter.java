package dev.spur.service.web.access;

import dev.spur.service.security.AccessScope;
import dev.spur.service.security.Principal;
import dev.spur.service.security.Principal.Credential;
import dev.spur.service.security.Role;
import dev.spur.service.startup.StartupFailure;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.stereotype.Component;

/**
 * Converts the claims of a signed token to a principal. A missing claim grants nothing: no role, and no tenant or node
 * where a claim restricts access. Operators have access to everything.
 */
@Component
class JwtPrincipalConverter {
    private static final String ALL = "*";
    /** Characters without a glyph, the escape character itself, and blanks other than the space. */
    private static final Pattern UNPRINTABLE = Pattern.compile(
            "[\\p{C}\\p{Z}%\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\\x{E0100}-\\x{E01EF}&&[^ ]]");

    private final OidcProperties properties;
    private final AccessScopeStore scopes;
    private final Map<String, Role> roles = new HashMap<>();

    JwtPrincipalConverter(OidcProperties properties, AccessScopeStore scopes) {
        this.properties = properties;
        this.scopes = scopes;
        for (String entry : properties.roles().split(",", -1)) {
            int split = entry.lastIndexOf('=');
            try {
                roles.put(
                        entry.substring(0, split).strip(),
                        Role.ofName(entry.substring(split + 1).strip()));
            } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
                throw new StartupFailure(
                        "SPUR_SECURITY_OIDC_ROLES has %s; expected value=role with one of viewer, submitter, executor, operator."
                                .formatted(entry),
                        e);
            }
        }
    }

    /** The principal of a token. */
    Principal of(Jwt token) {
        Set<Role> granted = EnumSet.noneOf(Role.class);
        for (String value : texts(claim(token, properties.rolesClaim()))) {
            Role role = roles.get(value);
            if (role != null) {
                granted.add(role);
            }
        }
        String name = name(claim(token, properties.nameClaim()));
        AccessScope reach = granted.contains(Role.OPERATOR) ? AccessScope.ALL : reach(token, granted);
        return new Principal("oidc:" + name, Credential.JWT, granted, reach);
    }

    private AccessScope reach(Jwt token, Set<Role> granted) {
        boolean works = granted.contains(Role.EXECUTOR);
        boolean owns = granted.contains(Role.SUBMITTER) || granted.contains(Role.VIEWER);
        List<String> tenants = owns ? confinement(token, properties.tenantsClaim()) : null;
        List<String> nodes = works ? confinement(token, properties.nodeClaim()) : null;
        return scopes.of(tenants, nodes == null ? null : nodes.isEmpty() ? "" : nodes.get(0));
    }

    /** The values that a claim restricts access to; null for no restriction. */
    private static @Nullable List<String> confinement(Jwt token, String claim) {
        if (claim.isBlank()) {
            return null;
        }
        List<String> values = texts(claim(token, claim));
        return values.contains(ALL) ? null : values;
    }

    private static @Nullable Object claim(Jwt token, String path) {
        Object at = token.getClaims().get(path);
        if (at != null) {
            return at;
        }
        at = token.getClaims();
        for (String step : path.split("\\.", -1)) {
            at = at instanceof Map<?, ?> members ? members.get(step) : null;
        }
        return at;
    }

    /**
     * The name of a caller: the whole claim. Characters that are invisible or end a line are percent-encoded, so that
     * names in logs and audit records stay distinct and cannot imitate other text.
     */
    private static String name(@Nullable Object claim) {
        String text = claim instanceof Collection<?> all && !all.isEmpty()
                ? String.valueOf(all.iterator().next())
                : claim == null ? "" : String.valueOf(claim).strip();
        if (text.isEmpty()) {
            return "nameless";
        }
        StringBuilder name = new StringBuilder();
        text.codePoints().forEach(point -> {
            String character = Character.toString(point);
            name.append(
                    UNPRINTABLE.matcher(character).matches()
                            ? URLEncoder.encode(character, StandardCharsets.UTF_8)
                            : character);
        });
        return name.toString();
    }

    /** The values of a claim: one text, texts separated by spaces (as scopes are), or a list of texts. */
    private static List<String> texts(@Nullable Object claim) {
        if (claim instanceof String text) {
            return List.of(text.strip().split(" +"));
        }
        return claim instanceof Collection<?> all
                ? all.stream().map(String::valueOf).toList()
                : List.of();
    }
}
