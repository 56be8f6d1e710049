package dev.spur.service.access;

import java.time.Duration;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.config.observation.SecurityObservationSettings;
import org.springframework.security.oauth2.core.DelegatingOAuth2TokenValidator;
import org.springframework.security.oauth2.core.OAuth2TokenValidator;
import org.springframework.security.oauth2.jose.jws.SignatureAlgorithm;
import org.springframework.security.oauth2.jwt.BadJwtException;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtClaimNames;
import org.springframework.security.oauth2.jwt.JwtClaimValidator;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtValidators;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;
import org.springframework.security.oauth2.jwt.SupplierJwtDecoder;
import org.springframework.security.oauth2.server.resource.web.authentication.BearerTokenAuthenticationFilter;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.firewall.HttpFirewall;
import org.springframework.security.web.firewall.StrictHttpFirewall;

/**
 * Configures Spring Security for authentication only. Authorization is a part of the contract and is enforced where
 * requests are validated against it.
 */
@Configuration(proxyBeanMethods = false)
class AccessConfiguration {
    private static final Duration PROVIDER_TIMEOUT = Duration.ofSeconds(10);

    @Bean
    SecurityFilterChain chain(HttpSecurity http, TokenAuthenticator tokens, RateProperties rate) throws Exception {
        return http.authorizeHttpRequests(all -> all.anyRequest().permitAll())
                .oauth2ResourceServer(server -> server.authenticationManagerResolver(tokens)
                        .authenticationEntryPoint(new ProblemAuthenticationEntryPoint()))
                .addFilterAfter(new RateLimit(rate), BearerTokenAuthenticationFilter.class)
                .addFilterBefore(new PageHeaders(), BearerTokenAuthenticationFilter.class)
                .sessionManagement(session -> session.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                .headers(AbstractHttpConfigurer::disable)
                .csrf(AbstractHttpConfigurer::disable)
                .logout(AbstractHttpConfigurer::disable)
                .requestCache(AbstractHttpConfigurer::disable)
                .anonymous(AbstractHttpConfigurer::disable)
                .build();
    }

    /** Disables the span around each filter of each request: its cost exceeds its use. */
    @Bean
    SecurityObservationSettings withoutObservations() {
        return SecurityObservationSettings.noObservations();
    }

    /**
     * Disables the checks of the framework's firewall. The contract and the web server reject such requests with their
     * own problems.
     */
    @Bean
    HttpFirewall firewall() {
        StrictHttpFirewall firewall = new StrictHttpFirewall();
        firewall.setUnsafeAllowAnyHttpMethod(true);
        firewall.setAllowSemicolon(true);
        firewall.setAllowedHeaderValues(value -> true);
        firewall.setAllowedHeaderNames(name -> true);
        firewall.setAllowedParameterNames(name -> true);
        firewall.setAllowedParameterValues(value -> true);
        return firewall;
    }

    /** Accepts unexpired tokens that the identity provider signed for this service with an asymmetric key. */
    @Bean
    JwtDecoder decoder(OidcProperties oidc) {
        if (!oidc.isConfigured()) {
            return token -> {
                throw new BadJwtException("no identity provider is configured");
            };
        }
        return new SupplierJwtDecoder(() -> {
            var builder = oidc.jwksUri().isBlank()
                    ? NimbusJwtDecoder.withIssuerLocation(oidc.issuer())
                    : NimbusJwtDecoder.withJwkSetUri(oidc.jwksUri());
            NimbusJwtDecoder decoder = builder.restOperations(IdentityProviderClient.within(PROVIDER_TIMEOUT))
                    .jwsAlgorithms(algorithms -> algorithms.addAll(List.of(SignatureAlgorithm.values())))
                    .build();
            decoder.setJwtValidator(validator(oidc));
            return decoder;
        });
    }

    private static OAuth2TokenValidator<Jwt> validator(OidcProperties oidc) {
        OAuth2TokenValidator<Jwt> audience = new JwtClaimValidator<List<String>>(
                JwtClaimNames.AUD, meant -> meant != null && meant.contains(oidc.audience()));
        OAuth2TokenValidator<Jwt> expires = new JwtClaimValidator<Object>(JwtClaimNames.EXP, end -> end != null);
        return new DelegatingOAuth2TokenValidator<>(
                JwtValidators.createDefaultWithIssuer(oidc.issuer()), audience, expires);
    }
}
