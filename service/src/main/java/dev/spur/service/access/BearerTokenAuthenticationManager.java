package dev.spur.service.access;

import dev.spur.service.security.Principal;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.jwt.BadJwtException;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtException;
import org.springframework.security.oauth2.server.resource.InvalidBearerTokenException;
import org.springframework.security.oauth2.server.resource.authentication.BearerTokenAuthenticationToken;

/**
 * Authenticates a request by its token. The token is looked up before the address is throttled: many clients may share
 * an address, and the failures of one must not affect valid tokens of others.
 */
final class BearerTokenAuthenticationManager implements AuthenticationManager {
    private final TokenAuthenticator desk;
    private final JwtDecoder decoder;
    private final JwtPrincipalConverter signed;
    private final FailedLoginThrottle failures;
    private final String address;

    BearerTokenAuthenticationManager(
            TokenAuthenticator desk,
            JwtDecoder decoder,
            JwtPrincipalConverter signed,
            FailedLoginThrottle failures,
            String address) {
        this.desk = desk;
        this.decoder = decoder;
        this.signed = signed;
        this.failures = failures;
        this.address = address;
    }

    @Override
    public Authentication authenticate(Authentication shown) {
        String token = ((BearerTokenAuthenticationToken) shown).getToken();
        try {
            return new CallerAuthentication(token.startsWith(TokenSecret.PREFIX) ? issued(token) : signed(token));
        } catch (InvalidBearerTokenException invalid) {
            failures.count(address);
            throw invalid;
        }
    }

    private Principal issued(String token) {
        return desk.principalOf(token)
                .orElseThrow(() -> new InvalidBearerTokenException("The token is unknown, revoked or expired."));
    }

    private Principal signed(String token) {
        try {
            return signed.of(decoder.decode(token));
        } catch (BadJwtException bad) {
            throw new InvalidBearerTokenException("The token is not intended for this service.", bad);
        } catch (JwtException | AuthenticationServiceException away) {
            throw new TokenStoreUnavailableException("The keys of the identity provider cannot be retrieved.", away);
        }
    }
}
