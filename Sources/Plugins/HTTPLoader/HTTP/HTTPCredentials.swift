#if HTTP
/// The user and the password from a URL. They are never printed.
struct HTTPCredentials: Sendable {
    let user: String
    let password: String
}
#endif
