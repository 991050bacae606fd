#if HTTP
/// User and password, as a URL had them before its host. Never printed.
struct HTTPCredentials: Sendable {
    let user: String
    let password: String
}
#endif
