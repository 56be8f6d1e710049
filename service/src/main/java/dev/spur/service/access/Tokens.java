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
 * Authenticates a request from one address by its token. The token is looked up first: many clients may share an address, and the
 * failures of one must not affect the valid tokens of the others.
 */
final class Tokens implements AuthenticationManager {
    private final TokenDesk desk;
    private final JwtDecoder decoder;
    private final SignedCallers signed;
    private final Failures failures;
    private final String address;

    Tokens(TokenDesk desk, JwtDecoder decoder, SignedCallers signed, Failures failures, String address) {
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
            return new KnownCaller(token.startsWith(Secret.PREFIX) ? issued(token) : signed(token));
        } catch (InvalidBearerTokenException invalid) {
            failures.count(address);
            throw invalid;
        }
    }

    private Principal issued(String token) {
        return desk.whose(token)
                .orElseThrow(() -> new InvalidBearerTokenException("The token is unknown, revoked or has expired."));
    }

    private Principal signed(String token) {
        try {
            return signed.of(decoder.decode(token));
        } catch (BadJwtException bad) {
            throw new InvalidBearerTokenException("The token is not one that this service takes.", bad);
        } catch (JwtException | AuthenticationServiceException away) {
            throw new StoreAway("The identity provider cannot be asked for its keys at this time.", away);
        }
    }
}
