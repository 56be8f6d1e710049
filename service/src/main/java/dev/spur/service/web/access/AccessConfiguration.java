package dev.spur.service.web.access;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
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
import org.springframework.security.oauth2.jwt.JwtIssuerValidator;
import org.springframework.security.oauth2.jwt.JwtTimestampValidator;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;
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

    /** Types of access tokens: RFC 7519, RFC 9068, and none. */
    private static final Set<@Nullable JOSEObjectType> TYPES = new HashSet<>(Arrays.asList(
            JOSEObjectType.JWT, new JOSEObjectType("at+jwt"), new JOSEObjectType("application/at+jwt"), null));

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
        ProviderKeys keys = new ProviderKeys(oidc, IdentityProviderClient.within(PROVIDER_TIMEOUT));
        NimbusJwtDecoder decoder = NimbusJwtDecoder.withJwkSource(keys)
                .jwsAlgorithms(algorithms -> algorithms.addAll(List.of(SignatureAlgorithm.values())))
                .jwtProcessorCustomizer(
                        processor -> processor.setJWSTypeVerifier(new DefaultJOSEObjectTypeVerifier<>(TYPES)))
                .build();
        decoder.setJwtValidator(validator(oidc));
        return decoder;
    }

    private static OAuth2TokenValidator<Jwt> validator(OidcProperties oidc) {
        OAuth2TokenValidator<Jwt> audience = new JwtClaimValidator<List<String>>(
                JwtClaimNames.AUD, meant -> meant != null && meant.contains(oidc.audience()));
        OAuth2TokenValidator<Jwt> expires = new JwtClaimValidator<Object>(JwtClaimNames.EXP, end -> end != null);
        return new DelegatingOAuth2TokenValidator<>(
                new JwtTimestampValidator(), new JwtIssuerValidator(oidc.issuer()), audience, expires);
    }
}
